"""Email by MailerSend's API. Source: https://developers.mailersend.com/api/v1/email.html"""
