"""Whoever sits in front of the browser."""

import re
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import httpx
from playwright.async_api import Browser, BrowserContext, Page

from app.access import users
from tests.fakes.waiting import patience
from tests.fakes.web import Web

PASSWORD = "correct horse battery"
TOKEN = re.compile(r'name="_token" value="([^"]+)"')


class People:
    """Users of each role, who sign in once for all tests of a file."""

    def __init__(self, web: Web, browser: Browser) -> None:
        self.web = web
        self.browser = browser
        self._cookies: dict[tuple[str, ...], list[Any]] = {}

    async def add(self, *roles: str, permissions: Sequence[str] = ()) -> str:
        """A new user; the name."""
        name = f"{'-'.join(roles) or 'nobody'} {uuid.uuid4().hex[:6]}"
        await users.add(users.NewUser(name, "", PASSWORD, roles, permissions))
        return name

    async def cookies(self, roles: tuple[str, ...], permissions: tuple[str, ...]) -> list[Any]:
        known = (*roles, "+", *permissions)
        if known not in self._cookies:
            name = await self.add(*roles, permissions=permissions)
            self._cookies[known] = await sign_in(self.web.url, name)
        return self._cookies[known]


async def sign_in(url: str, name: str) -> list[Any]:
    """The cookies of somebody who signed in."""
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=patience(10)) as client:
        form = await client.get("/console/sign-in")
        token = TOKEN.search(form.text)
        assert token is not None
        fields = {"_token": token[1], "name": name, "password": PASSWORD}
        entered = await client.post("/console/sign-in", data=fields)
        assert entered.status_code == 303, entered.text
        return [
            {"name": cookie.name, "value": cookie.value, "url": url}
            for cookie in client.cookies.jar
        ]


class Context:
    """Windows of one test, and what the browser complained about in them."""

    def __init__(self, people: People, stack: AsyncExitStack) -> None:
        self.people = people
        self.complaints: list[str] = []
        self._stack = stack

    async def __call__(
        self, *roles: str, permissions: tuple[str, ...] = (), **options: Any
    ) -> Page:
        """A window of somebody with these roles."""
        page = await self.stranger(**options)
        await page.context.add_cookies(await self.people.cookies(roles, permissions))
        return page

    async def stranger(self, **options: Any) -> Page:
        """A window of somebody who isn't signed in."""
        context: BrowserContext = await self.people.browser.new_context(
            base_url=self.people.web.url, **{"timezone_id": "UTC", **options}
        )
        self._stack.push_async_callback(context.close)
        context.set_default_timeout(patience(10) * 1000)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        page.on("requestfinished", self._watch)
        page.on("requestfailed", self._watch)
        return page

    def _hear(self, message: Any) -> None:
        refused = "Content Security Policy" in message.text or "Trusted" in message.text
        # What a message holds is none of ours: there the policy is meant to be broken.
        if refused and not message.location["url"].endswith("/html"):
            self.complaints.append(message.text)

    def _watch(self, request: Any) -> None:
        if request.failure == "csp":
            return
        if not request.url.startswith((self.people.web.url, "data:", "about:", "blob:")):
            self.complaints.append(f"asked another site: {request.url}")
