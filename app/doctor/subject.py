"""The installation that is looked at."""

from dataclasses import dataclass
from pathlib import Path

from app.configuration import Given, Readings
from app.doctor.finding import Verdict


@dataclass(frozen=True, slots=True)
class Subject:
    """``migrations`` is the folder of the code's migrations."""

    given: Given
    readings: Readings
    migrations: Path

    @property
    def grave(self) -> Verdict:
        """What would lose messages is wrong in production, and may do elsewhere."""
        return Verdict.WRONG if self.readings.production else Verdict.WARNING

    @property
    def storage(self) -> Path:
        return Path(self.readings.text("STORAGE_PATH"))
