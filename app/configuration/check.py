"""All that is wrong with the configuration, at once."""

from app.configuration import brokers, channels, clocks, extras, production
from app.configuration.given import Given, Readings
from app.configuration.names import find_strange_names
from app.configuration.problem import Problem, Severity


def find_problems(given: Given) -> list[Problem]:
    """Without touching a server; each problem once, what is wrong before what deserves a look."""
    readings = Readings(given)
    problems = [
        *find_strange_names(given.environment),
        *readings.problems,
        *clocks.find_problems(readings.numbers()),
        *channels.find_problems(readings),
        *brokers.find_problems(readings),
        *extras.find_problems(readings),
        *production.find_near_production(readings),
        *_find_by_place(given, readings),
    ]
    return sorted(
        dict.fromkeys(problems), key=lambda problem: problem.severity is not Severity.WRONG
    )


def _find_by_place(given: Given, readings: Readings) -> list[Problem]:
    if readings.production:
        return list(production.find_problems(readings, given.environment))
    return list(production.find_missing_key(readings))
