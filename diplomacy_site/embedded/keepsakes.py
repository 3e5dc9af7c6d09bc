"""The secrets of one machine: drawn once, kept in the data folder, readable by their owner only."""

import base64
import os
import secrets
from pathlib import Path

SECRET_BYTES = 48
SEALED_KEY_BYTES = 32


def secret_key(data: Path) -> str:
    return keepsake(data / "secret_key", secrets.token_urlsafe(SECRET_BYTES))


def sealed_key(data: Path) -> str:
    """A key of 32 bytes in base64."""
    return keepsake(data / "sealed_key", base64.b64encode(secrets.token_bytes(SEALED_KEY_BYTES)).decode())


def push_key(data: Path) -> str:
    """Another key of 32 bytes in base64."""
    return keepsake(data / "push_key", base64.b64encode(secrets.token_bytes(SEALED_KEY_BYTES)).decode())


def keepsake(path: Path, fresh: str) -> str:
    """The text stored at the path; if there is none yet, store and return the fresh one."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(fresh)
    try:
        os.link(draft, path)  # atomic, and fails when another process was first: then theirs counts
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text()
