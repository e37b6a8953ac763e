"""Whether a host of a package registry stands in a file of the repository.

Where packages come from is each machine's own affair.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# In parts, so that this file passes its own check.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("deb", "debian", "org"),
        ("archive", "ubuntu", "com"),
        ("ports", "ubuntu", "com"),
        ("registry", "npmjs", "org"),
        ("docker", "io"),
        ("ghcr", "io"),
    )
]
HOST = re.compile("|".join(rf"\b{re.escape(host)}\b" for host in HOSTS))
LOCKED = re.compile(r'(?:registry|url) = "https?://([^/"]+)')


def main() -> int:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = [place for name in listing.stdout.split("\0") if name for place in _hosts(name)]
    for name, host in found:
        print(f"{name} names {host}")
    return 1 if found else 0


def _hosts(name: str) -> list[tuple[str, str]]:
    path = ROOT / name
    if not path.is_file():
        return []
    text = path.read_text(errors="replace")
    found = {match.group() for match in HOST.finditer(text)}
    if name == "uv.lock":
        found |= {host for host in LOCKED.findall(text) if not host.endswith(".invalid")}
    return [(name, host) for host in sorted(found)]


if __name__ == "__main__":
    sys.exit(main())
