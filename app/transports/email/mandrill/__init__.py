"""Email by Mandrill (Mailchimp Transactional). Source: https://mailchimp.com/developer/transactional"""
