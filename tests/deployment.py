"""Django's own check of a site that is open to the world, with the production settings and made-up secrets."""

import base64
import os
import secrets
import sys

MADE_UP = {
    "DJANGO_SETTINGS_MODULE": "diplomacy_site.settings.production",
    "SECRET_KEY": secrets.token_urlsafe(48),
    "SEALED_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
    "ALLOWED_HOSTS": "diplomacy.example.org",
    "ADMIN_PATH": secrets.token_hex(8),
    "DATABASE_URL": "postgresql://nowhere/none",
    "REDIS_URL": "redis://nowhere",
    "DEFAULT_FROM_EMAIL": "diplomacy@example.org",
    "EMAIL_HOST": "nowhere",
}

if __name__ == "__main__":
    command = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "WARNING"]
    os.execve(command[0], command, {**os.environ, **MADE_UP})
