"""Email by Amazon SES. Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/"""
