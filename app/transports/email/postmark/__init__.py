"""Email by Postmark's API. Source: https://postmarkapp.com/developer"""
