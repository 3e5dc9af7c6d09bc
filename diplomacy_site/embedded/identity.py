"""The user that PostgreSQL runs as. It refuses to run as root, but a container's user often is root.

There are three ways: as the caller; as root's stand-in inside a user namespace, where files stay root's and closed
folders stay readable; or, where namespaces are forbidden, as the user nobody.
"""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypedDict

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
STAND_IN_ID = 65534
LINUX = sys.platform == "linux"


class PopenArguments(TypedDict, total=False):
    preexec_fn: Callable[[], None]
    user: int
    group: int
    extra_groups: list[int]


class Identity(Enum):
    CALLER = "the caller"
    NAMESPACE = "root's stand-in in a user namespace"
    NOBODY = "nobody"


@dataclass(frozen=True)
class Runner:
    """How to start a child as a given user."""

    identity: Identity

    def arguments(self, death_signal: signal.Signals | None = None) -> PopenArguments:
        """Arguments for Popen; the signal is sent when this process dies (Linux only)."""
        arguments: PopenArguments = {"preexec_fn": preparation_of_child(self.identity, death_signal)}
        if self.identity is Identity.NOBODY:
            nobody = pwd.getpwnam("nobody")
            arguments |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        return arguments

    def give_ownership(self, path: Path) -> None:
        if self.identity is Identity.NOBODY:
            nobody = pwd.getpwnam("nobody")
            os.chown(path, nobody.pw_uid, nobody.pw_gid)


def preparation_of_child(identity: Identity, death_signal: signal.Signals | None) -> Callable[[], None]:
    """What the child does between fork and exec. The C library is already loaded, because a fork must not load it."""
    library = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def prepare() -> None:
        if identity is Identity.NAMESPACE:
            user, group = os.geteuid(), os.getegid()
            if library.unshare(CLONE_NEWUSER) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{STAND_IN_ID} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{STAND_IN_ID} {group} 1")
        if death_signal is not None and LINUX:
            library.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return prepare


def choose_runner() -> Runner:
    if os.geteuid() != 0:
        return Runner(Identity.CALLER)
    if LINUX:
        with suppress(OSError, subprocess.SubprocessError):  # namespaces don't work here
            subprocess.run(["true"], check=True, preexec_fn=preparation_of_child(Identity.NAMESPACE, None))
            return Runner(Identity.NAMESPACE)
    return Runner(Identity.NOBODY)
