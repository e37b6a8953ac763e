"""Email by Scaleway Transactional Email. Source: https://www.scaleway.com/en/developers/api/transactional-email/"""
