"""Email by SparkPost (Bird). Source: https://developers.sparkpost.com/api/"""
