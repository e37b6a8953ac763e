"""Pages for people: the operator's console, a route for each page of its table."""

from itertools import groupby

from arvel import Route

from app.controllers.console.serve import endpoint, one_of
from app.controllers.console.table import PAGES

for path, pages in groupby(sorted(PAGES, key=lambda page: page.path), lambda page: page.path):
    endpoints = {"POST" if page.changes else "GET": endpoint(page) for page in pages}
    Route.match(list(endpoints), path, one_of(endpoints)).status(200).hidden()
