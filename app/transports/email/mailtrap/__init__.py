"""Email by Mailtrap's API. Source: https://api-docs.mailtrap.io/docs/mailtrap-api-docs"""
