"""The REST API, under ``/api``: a route for each row of its table."""

from arvel import Route
from arvel.http.middleware import ThrottleRequests

from app.controllers.api.serve import endpoint
from app.controllers.api.table import OPERATIONS

for operation in OPERATIONS:
    route = Route.match([operation.method], operation.path, endpoint(operation), operation.name)
    # The framework's limit counts by address and process; ours counts by token, in Redis.
    route.without_middleware(ThrottleRequests).hidden()
