"""The settings of the application: one table of them, and the rules that they must keep.

Nothing here touches a server. ``app/providers/configuration.py`` refuses at boot what is wrong;
``arvel dispatch:doctor`` shows it.
"""

from app.configuration.check import find_problems
from app.configuration.given import Given, Readings
from app.configuration.problem import Problem, Severity
from app.configuration.table import SECTIONS, SETTINGS

__all__ = ["SECTIONS", "SETTINGS", "Given", "Problem", "Readings", "Severity", "find_problems"]
