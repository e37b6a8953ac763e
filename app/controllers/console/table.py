"""Every page of the console."""

from app.controllers.console import (
    audit,
    compose,
    dead_letters,
    events,
    help,
    home,
    providers,
    theme,
)
from app.controllers.console.bulk import operations
from app.controllers.console.bulk import pages as bulk
from app.controllers.console.items import acting, lists, message, one, search
from app.controllers.console.overview import pages as overview
from app.controllers.console.page import Page
from app.controllers.console.signing_in import code, setting_up
from app.controllers.console.signing_in import pages as signing_in

PAGES: tuple[Page, ...] = (
    *signing_in.PAGES,
    *code.PAGES,
    *setting_up.PAGES,
    *home.PAGES,
    *theme.PAGES,
    *help.PAGES,
    *overview.PAGES,
    *lists.PAGES,
    *search.PAGES,
    *one.PAGES,
    *acting.PAGES,
    *message.PAGES,
    *dead_letters.PAGES,
    *providers.PAGES,
    *events.PAGES,
    *compose.PAGES,
    *audit.PAGES,
    *bulk.PAGES,
    *operations.PAGES,
)
