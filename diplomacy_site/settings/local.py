"""One machine: `./run` and `manage.py`, on the embedded servers unless DATABASE_URL and REDIS_URL are set."""

from diplomacy_site import env
from diplomacy_site.embedded import places
from diplomacy_site.settings.base import *  # noqa: F403 - the local settings are the base settings and more
from diplomacy_site.settings.base import LANGUAGES, LOCALE_PATHS
from diplomacy_site.settings.servers import POSTGRES_SCHEMES, REDIS_SCHEMES, broker_address, caches, databases

LANGUAGE_CODE = env.text("SITE_LANGUAGE", LANGUAGES[0][0])
LANGUAGES = [*LANGUAGES, ("xa", "Pseudo-language")]  # for those who look for words that escaped translation
LOCALE_PATHS = [*LOCALE_PATHS, places.DATA / "locale"]
SECRET_KEY = places.stored_secret_key(places.DATA)
SEALED_KEYS = env.keys_for_sealing("SEALED_KEYS", places.stored_key(places.DATA / "sealed_key"))
PUSH_KEY = env.push_key("PUSH_KEY", places.stored_key(places.DATA / "push_key"))
DEBUG = env.boolean("DEBUG", default=False)
ALLOWED_HOSTS = env.list_of_texts("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
SITE_ADDRESS = env.text("SITE_ADDRESS", "http://127.0.0.1:8000")
OUTBOUND_ALLOWED = frozenset(env.list_of_texts("OUTBOUND_ALLOWED", ""))  # to try webhooks on this machine
_redis = env.url("REDIS_URL", schemes=REDIS_SCHEMES, default=places.redis_address(places.DATA))
DATABASES = databases(
    env.url("DATABASE_URL", schemes=POSTGRES_SCHEMES, default=places.postgres_address(places.DATA)),
    pooled=env.boolean("PGBOUNCER", default=False),
)
CACHES = caches(_redis)
CELERY_BROKER_URL = broker_address(_redis)

# The files under static/ are served as they are, without collecting them first.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True  # http://localhost
STAFF_SECOND_FACTOR = False  # the demo accounts have well-known passwords
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = places.DATA / "mail"
DEFAULT_FROM_EMAIL = "Diplomacy <diplomacy@localhost>"
