"""Email by an installation of Postal. Source: https://docs.postalserver.io"""
