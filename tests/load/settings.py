"""The site as `./run` starts it, with its own keys, a throw-away folder for its emails and no rate limits."""

from pathlib import Path

from diplomacy_site import env
from diplomacy_site.settings.base import *  # noqa: F403 - the base settings and what this one machine needs
from diplomacy_site.settings.base import REST_FRAMEWORK
from diplomacy_site.settings.servers import POSTGRES_SCHEMES, REDIS_SCHEMES, broker_address, caches, databases

SECRET_KEY = "known to everyone who reads the tests"
SEALED_KEYS = (bytes(range(32)),)
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
SITE_ADDRESS = "http://127.0.0.1"
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": None, "user": None}}

_redis = env.url("REDIS_URL", schemes=REDIS_SCHEMES)
DATABASES = databases(env.url("DATABASE_URL", schemes=POSTGRES_SCHEMES), pooled=env.boolean("PGBOUNCER", default=False))
CACHES = caches(_redis)
CELERY_BROKER_URL = broker_address(_redis)

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

ACCOUNT_EMAIL_VERIFICATION = "optional"
DEFAULT_FROM_EMAIL = "Diplomacy <diplomacy@localhost>"
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = Path(env.text("LOAD_FOLDER", "")) / "mail"
PICTURES_FOLDER = Path(env.text("LOAD_FOLDER", "")) / "pictures"
