"""Email by Mailgun's API. Source: https://documentation.mailgun.com/docs/mailgun/api-reference"""
