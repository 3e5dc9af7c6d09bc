"""The site under fault: real servers, real email and the usual rate limits."""

from diplomacy_site import env
from diplomacy_site.settings.base import *  # noqa: F403 - the base settings and what this one machine needs
from diplomacy_site.settings.servers import POSTGRES_SCHEMES, REDIS_SCHEMES, broker_address, caches, databases

SECRET_KEY = "known to everyone who reads the tests"
SEALED_KEYS = (bytes(range(32)),)
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
SITE_ADDRESS = "http://127.0.0.1"

_redis = env.url("REDIS_URL", schemes=REDIS_SCHEMES)
DATABASES = databases(env.url("DATABASE_URL", schemes=POSTGRES_SCHEMES), pooled=env.boolean("PGBOUNCER", default=False))
CACHES = caches(_redis)
CELERY_BROKER_URL = broker_address(_redis)

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

ACCOUNT_EMAIL_VERIFICATION = "optional"
DEFAULT_FROM_EMAIL = "Diplomacy <diplomacy@localhost>"
EMAIL_HOST = "127.0.0.1"
EMAIL_PORT = env.integer("EMAIL_PORT", 25)
