"""The tests: real servers, quick passwords, mail in memory, and Redis databases for every worker."""

import os

from diplomacy_site import env
from diplomacy_site.embedded import places
from diplomacy_site.settings.base import *  # noqa: F403 - the test settings are the base settings and less
from diplomacy_site.settings.base import LANGUAGES, LOCALE_PATHS, REST_FRAMEWORK
from diplomacy_site.settings.servers import POSTGRES_SCHEMES, REDIS_SCHEMES, broker_address, caches, databases

LANGUAGES = [*LANGUAGES, ("xa", "Pseudo-language")]
LOCALE_PATHS = [*LOCALE_PATHS, places.DATA / "locale"]
SECRET_KEY = "known to everyone who reads the tests"  # noqa: S105 - guards nothing
SEALED_KEYS = (bytes(range(32)),)
PUSH_KEY = bytes(range(1, 33))
DEBUG = False
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
SITE_ADDRESS = "http://testserver"
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_redis = env.url("REDIS_URL", schemes=REDIS_SCHEMES, default=places.redis_address(places.DATA))
DATABASES = databases(env.url("DATABASE_URL", schemes=POSTGRES_SCHEMES, default=places.postgres_address(places.DATA)))
DATABASES["default"]["OPTIONS"].pop("options")  # a test keeps its transaction open for as long as it takes
CACHES = caches(_redis, 2 * _worker + 1)
CELERY_BROKER_URL = broker_address(_redis, 2 * _worker)
PICTURES_FOLDER = places.DATA / "pictures-of-tests" / str(_worker)  # emptied after each test
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # Argon2 takes a tenth of a second each
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": None, "user": None}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
STAFF_SECOND_FACTOR = False  # tests/security turns it on
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
DEFAULT_FROM_EMAIL = "Diplomacy <diplomacy@localhost>"
