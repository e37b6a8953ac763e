"""An installation to look at, and what is found at it."""

from dataclasses import dataclass
from pathlib import Path

from app.configuration import Readings
from app.doctor import Finding, Subject, Verdict, examine
from local import Services
from tests.fakes.processes import ROOT
from tests.unit.configuration.given import given

MIGRATIONS = ROOT / "database" / "migrations"


@dataclass(frozen=True)
class Found:
    """All findings; by what was looked at, where that was one thing."""

    findings: list[Finding]

    def __getitem__(self, check: str) -> Finding:
        [finding] = [f for f in self.findings if f.check == check]
        return finding

    def verdict(self, check: str) -> Verdict:
        return self[check].verdict

    @property
    def checks(self) -> set[str]:
        return {f.check for f in self.findings}

    @property
    def text(self) -> str:
        return "\n".join(f"{f.check} {f.text} {f.remedy}" for f in self.findings)


def subject(
    services: Services, storage: Path, *, migrations: Path = MIGRATIONS, **environment: str
) -> Subject:
    """An installation on these servers, with further settings."""
    configuration = given(
        **{
            "DATABASE_URL": services.database_url,
            "REDIS_URL": services.redis_url,
            "STORAGE_PATH": str(storage),
            **environment,
        }
    )
    return Subject(configuration, Readings(configuration), migrations)


async def look(
    services: Services, storage: Path, *, migrations: Path = MIGRATIONS, **environment: str
) -> Found:
    return Found(await examine(subject(services, storage, migrations=migrations, **environment)))
