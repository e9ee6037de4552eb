"""GNU Octave for tests: installed where it is missing and can be, started once for many scripts."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

UPDATE = ("apt-get", "update")
INSTALL = ("apt-get", "--option", "DPkg::Lock::Timeout=300", "install", "--yes", "--no-install-recommends", "octave")


class NoOctave(Exception):
    """Octave is missing and this user may not install it."""


def octave() -> str:
    """The path of Octave, installed from the distribution's packages if need be.

    Needs apt-get and root, or sudo without a password; raises `NoOctave` where there is neither. An installation that was
    allowed and failed is an error of its own, with what apt-get said.
    """
    with (Path(tempfile.gettempdir()) / f"octave-for-tests-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = _found()
        return found if found else _installed()


def _found() -> str | None:
    return shutil.which("octave-cli") or shutil.which("octave")


def _installed() -> str:
    before = [] if os.geteuid() == 0 else ["sudo", "-n"]
    allowed = not before or (
        shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    )
    if not shutil.which("apt-get") or not allowed:
        raise NoOctave("GNU Octave is missing and cannot be installed from here; install it to run these tests")
    for command in (UPDATE, INSTALL):
        quiet = [*before, "env", "DEBIAN_FRONTEND=noninteractive", *command]
        done = subprocess.run(quiet, capture_output=True, text=True)
    found = _found()
    if found is None:
        raise RuntimeError(f"{' '.join(INSTALL)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return found


def run(script: str, folder: Path) -> str:
    """What the script prints, run in the folder; a warning or an error on the way is an error here."""
    (folder / "main_script.m").write_text(script, encoding="utf-8")
    command = [octave(), "--no-init-file", "--no-history", "--quiet", "main_script.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise RuntimeError(f"octave: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout
