"""One setting: its name in the environment, and what it means."""

from dataclasses import dataclass

from app.configuration.kinds import Kind


@dataclass(frozen=True, slots=True)
class Setting:
    """``key`` is where ``config/`` puts it. ``otherwise`` describes a default that depends on other
    settings; else ``default`` is it.
    """

    name: str
    key: str
    kind: Kind
    meaning: str
    default: object = ""
    otherwise: str = ""
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    text: str
    settings: tuple[Setting, ...]

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(setting.name for setting in self.settings if setting.secret)
