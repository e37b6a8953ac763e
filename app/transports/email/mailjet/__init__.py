"""Email by Mailjet's API. Source: https://dev.mailjet.com/email/guides/send-api-v31/"""
