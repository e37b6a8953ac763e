"""The application for somebody who changes it: own servers, own data, reloaded on every change."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from arvel.kernel.settings import load_environment

from local import Services, folders, passwords, services
from local.demo.web import INTO_ROOT, ROOT, answers
from local.keeper import Keeper
from local.ports import HOST

NAME = "dev"
WATCHED = ("app", "bootstrap", "config", "database", "public", "resources", "routes")


def main() -> int:
    # As Ctrl-C: the web process drains before its servers go.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    load_environment(ROOT)
    port = int(os.environ.get("PORT", "8000"))
    with services(NAME) as running, contextlib.suppress(KeyboardInterrupt):
        _set_environment(running, port)
        subprocess.run([sys.executable, "-m", "arvel.console", "migrate"], cwd=ROOT, check=True)
        _serve(port)
    _say("Stopped; nothing is left running.")
    return 0


def _set_environment(running: Services, port: int) -> None:
    os.environ.update(running.environment)
    os.environ.setdefault("APP_ENV", "local")
    os.environ.setdefault("EMBEDDED_WORKER", "true")
    os.environ.setdefault("PUBLIC_URL", f"http://{HOST}:{port}")
    if not os.environ.get("APP_KEY"):
        # The same in every run: what the last one left on the broker is signed with it.
        os.environ["APP_KEY"] = f"base64:{passwords.ensure_key(folders.BASE / NAME)}"


def _serve(port: int) -> None:
    folder = folders.BASE / NAME / "web"
    folder.mkdir(exist_ok=True)
    web = Keeper("The web process", folder, shown=True)
    watched = [f"--reload-paths={ROOT / name}" for name in WATCHED]
    command = [
        *("/bin/sh", "-c", INTO_ROOT, str(ROOT), sys.executable, "-m", "granian"),
        *("--interface", "asgi", "--host", HOST, "--port", str(port), "--no-ws"),
        *("--workers-kill-timeout", "60"),
        *("--reload", *watched, "asgi:asgi_app"),
    ]
    try:
        web.start(command, lambda _: answers(port))
        _say(f"Running at http://{HOST}:{port} with its worker; Ctrl-C stops everything.")
        _say(f"For commands in another terminal: . {_write_exports()}")
        web.wait()
    finally:
        web.stop()


def _write_exports() -> Path:
    path = folders.BASE / NAME / "environment"
    names = ("APP_ENV", "APP_KEY", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL")
    passwords.write_privately(path, "".join(f"export {n}='{os.environ[n]}'\n" for n in names))
    return path.relative_to(ROOT)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
