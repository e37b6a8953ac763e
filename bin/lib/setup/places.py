"""The folders that setting up reads and writes."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
LOG = TOOLS / "setup.log"
"""What the programs that were called had to say, run after run."""
