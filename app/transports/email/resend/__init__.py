"""Email by Resend's API. Source: https://resend.com/docs/api-reference"""
