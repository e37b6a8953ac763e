"""Email by Unisender Go. Source: https://godocs.unisender.ru/web-api-ref"""
