"""The REST API, under ``/api``: a route for each path of its table."""

from itertools import groupby

from arvel import Route
from arvel.http.middleware import ThrottleRequests

from app.controllers.api.serve import endpoint, one_of
from app.controllers.api.table import OPERATIONS

for path, operations in groupby(sorted(OPERATIONS, key=lambda row: row.path), lambda row: row.path):
    # One route for all methods of a path, so that `Allow` names them all.
    endpoints = {operation.method: endpoint(operation) for operation in operations}
    route = Route.match(list(endpoints), path, one_of(endpoints))
    # The framework's limit counts by address and process; ours counts by token, in Redis.
    route.without_middleware(ThrottleRequests).hidden()
