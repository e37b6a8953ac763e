"""Looks at an installation from outside: configuration, servers, files, channels and items.

Nothing here changes anything, and every look ends within two seconds. Faces show what
:func:`examine` found.
"""

from app.doctor.examination import examine
from app.doctor.finding import Finding, Verdict
from app.doctor.subject import Subject

__all__ = ["Finding", "Subject", "Verdict", "examine"]
