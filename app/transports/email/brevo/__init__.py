"""Email by Brevo."""
