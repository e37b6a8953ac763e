"""What pages load: a group of its own, without session."""

from arvel import Route

from app.controllers.console.assets import serve

Route.get("/console/assets/{digest}/{name}", serve).hidden()
