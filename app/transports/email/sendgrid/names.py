"""Names that a report of SendGrid has beside those of our metadata."""

ID = "pillarbox_id"
"""The custom argument that is the message's id: SendGrid's own is not in its reports as such."""

IDS = (ID, "anymail_id")
"""The second one stands on messages that django-anymail sent before."""

FIELDS = frozenset(
    {
        *("asm_group_id", "attempt", "bounce_classification", "category", "cert_err", "email"),
        *("event", "ip", "marketing_campaign_id", "marketing_campaign_name", "newsletter"),
        *("nlvx_campaign_id", "nlvx_campaign_split_id", "nlvx_user_id", "pool", "post_type"),
        *("reason", "response", "send_at", "sg_content_type", "sg_event_id", "sg_machine_open"),
        *("sg_message_id", "sg_template_id", "sg_template_name", "singlesend_id", "smtp-id"),
        *("status", "template_id", "timestamp", "tls", "type", "url", "url_offset", "useragent"),
        *IDS,
    }
)
"""https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event, and what
others saw."""
