"""Email by SendGrid's API. Source: https://www.twilio.com/docs/sendgrid/api-reference"""
