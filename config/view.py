"""Templates, wherever the process was started."""

from pathlib import Path

config = {"paths": str(Path(__file__).resolve().parent.parent / "resources" / "views")}
