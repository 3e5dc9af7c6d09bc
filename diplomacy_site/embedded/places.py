"""Where the embedded servers keep their files, sockets and secrets, which are made once and only for their owner."""

import base64
import hashlib
import os
import secrets
import tempfile
from pathlib import Path
from urllib.parse import quote

from diplomacy_site.embedded import EmbeddedError

CHECKOUT = Path(__file__).resolve().parents[2]
DATA = CHECKOUT / ".data"
DATABASE_NAME = "diplomacy"
OTHERS_READ_OR_WRITE = 0o066
SECRET_BYTES, KEY_BYTES = 48, 32


def short_name(data: Path) -> str:
    """A few letters that identify one data folder and one user."""
    digest = hashlib.sha256(str(data).encode()).hexdigest()[:8]
    return f"{DATABASE_NAME}-{os.getuid()}-{digest}"


def folder_of_sockets(data: Path) -> Path:
    """The folder of the sockets: always the same, and short, because a socket's path has at most 100 bytes."""
    base = Path("/tmp")  # noqa: S108 - made private below, and TMPDIR is too long on macOS
    return (base if base.is_dir() else Path(tempfile.gettempdir())) / short_name(data)


def make_private_sockets(data: Path, mode: int = 0o700) -> Path:
    """Create that folder; raises EmbeddedError if another user has guessed its name and created it first."""
    folder = folder_of_sockets(data)
    folder.mkdir(mode=mode, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & OTHERS_READ_OR_WRITE:
        raise EmbeddedError(f"{folder} belongs to another user or is open to others. Delete it and try again.")
    folder.chmod(mode)
    return folder


def postgres_sockets(data: Path) -> Path:
    return folder_of_sockets(data) / "pg"


def valkey_socket(data: Path) -> Path:
    return folder_of_sockets(data) / "valkey.sock"


def postgres_address(data: Path, database: str = DATABASE_NAME) -> str:
    return f"postgresql://{DATABASE_NAME}@{quote(str(postgres_sockets(data)), safe='')}/{database}"


def redis_address(data: Path) -> str:
    return f"unix://{valkey_socket(data)}"


def folder_within_reach(data: Path) -> Path:
    """The folder for PostgreSQL's files if it runs as the user nobody, who cannot read the data folder."""
    return Path("/var/tmp") / short_name(data)  # noqa: S108 - its creator checks the owner


def stored_secret_key(data: Path) -> str:
    return read_or_store(data / "secret_key", secrets.token_urlsafe(SECRET_BYTES))


def stored_key(path: Path) -> str:
    """A key of 32 bytes in base64."""
    return read_or_store(path, base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode())


def read_or_store(path: Path, new_text: str) -> str:
    """The text stored at the path; if there is none yet, store and return `new_text`."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(new_text)
    try:
        os.link(draft, path)  # atomic, and fails when another process was first: then theirs counts
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text()
