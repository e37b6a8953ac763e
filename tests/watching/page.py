"""Reads a page of metrics as Prometheus does."""

import re

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.fakes.web import Web

type Labels = dict[str, str]


class Page:
    def __init__(self, text: str) -> None:
        self.text = text
        self.samples = [
            (sample.name, sample.labels, sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        ]

    @property
    def names(self) -> set[str]:
        return {name for name, _, _ in self.samples}

    def value(self, name: str, **labels: str) -> float | None:
        """The sum of all samples with these labels; ``None``: there is none."""
        found = [
            value
            for said, told, value in self.samples
            if said == name and labels.items() <= told.items()
        ]
        return sum(found) if found else None

    @property
    def label_values(self) -> set[str]:
        """But for the bounds of histograms, of which the last is ``+Inf``."""
        return {
            value for _, labels, _ in self.samples for name, value in labels.items() if name != "le"
        }

    def has_addresses(self) -> bool:
        return any(re.search(r"[@+]|[0-9a-f]{8}-[0-9a-f]{4}", v) for v in self.label_values)


async def scrape(web: Web, **headers: str) -> Page:
    answer: httpx.Response = await web.client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return Page(answer.text)
