"""Refuses to boot with a configuration that would lose, double or misdirect messages."""

import os
from collections.abc import Sequence
from typing import override

from arvel.kernel import Application, ServiceProvider
from arvel.kernel.logging import LogManager

from app.configuration import Given, Problem, Severity, find_problems


class ConfigurationRefused(RuntimeError):
    """The configuration can't be used; the text has one line for each thing that is wrong."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        lines = "\n".join(f"  {_line(problem)}" for problem in problems)
        super().__init__(
            f"Pillarbox does not start with this configuration:\n{lines}\n"
            "`arvel dispatch:doctor` checks it again, with the servers, and starts nothing."
        )


class ConfigurationProvider(ServiceProvider):
    """The first of all, so that nothing is built from settings that nobody has looked at."""

    @override
    def boot(self) -> None:
        """Raises :class:`ConfigurationRefused`."""
        for problem in refuse_wrong_configuration(self.app):
            LogManager().channel("configuration").warning(
                "setting_deserves_attention", setting=problem.setting, text=problem.text
            )


def refuse_wrong_configuration(app: Application) -> list[Problem]:
    """What deserves attention and stops nothing; raises :class:`ConfigurationRefused`."""
    problems = find_problems(given_to(app))
    if any(problem.severity is Severity.WRONG for problem in problems):
        raise ConfigurationRefused(problems)
    return problems


def given_to(app: Application) -> Given:
    """The environment, and what ``config/`` made of it."""
    return Given(os.environ, app.config().get)


def _line(problem: Problem) -> str:
    return str(problem) if problem.severity is Severity.WRONG else f"{problem} (a warning only)"
