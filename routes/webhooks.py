"""Where providers report: a group of its own, without prefix, throttle, session or CSRF."""

from arvel import Route

from app.controllers.webhooks.probe import answer_probe
from app.controllers.webhooks.receive import receive_email, receive_sms

Route.post("/webhooks/email/{provider}", receive_email, name="webhooks.email").status(200)
Route.match(
    ["GET", "HEAD"], "/webhooks/email/{provider}", answer_probe, name="webhooks.probe"
).status(200)
Route.post("/webhooks/sms/{provider}", receive_sms, name="webhooks.sms").status(200)
