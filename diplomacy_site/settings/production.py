"""A public site behind a TLS proxy. It does not start without its secrets; none has a default."""

from diplomacy_site import env, logs
from diplomacy_site.settings.base import *  # noqa: F403 - the production settings are the base settings and more
from diplomacy_site.settings.servers import (
    POSTGRES_SCHEMES,
    REDIS_SCHEMES,
    broker_address,
    caches,
    databases,
    refuse_live_database,
)

SECRET_KEY = env.secret("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.list_of_texts("SECRET_KEY_FALLBACKS", "")
SEALED_KEYS = env.keys_for_sealing("SEALED_KEYS")
PUSH_KEY = env.push_key("PUSH_KEY", "")
DEBUG = False
ALLOWED_HOSTS = env.host_names("ALLOWED_HOSTS")  # SITE_HOST in .env
SITE_ADDRESS = f"https://{ALLOWED_HOSTS[0]}"  # the start of links in emails
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
ADMIN_PATH = env.admin_path("ADMIN_PATH")
_redis = env.url("REDIS_URL", schemes=REDIS_SCHEMES)
_postgres = env.url("DATABASE_URL", schemes=POSTGRES_SCHEMES)
refuse_live_database(_postgres, env.text("COMPOSE_PROJECT_NAME", ""))
DATABASES = databases(_postgres, pooled=env.boolean("PGBOUNCER", default=False))
CACHES = caches(_redis)
CELERY_BROKER_URL = broker_address(_redis)

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SECURE_SSL_REDIRECT = env.boolean("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # the container checks itself, without TLS
SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", 30 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # a host who wants the name in the browsers' own lists could hardly go back
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
ACCOUNT_EMAIL_VERIFICATION = env.text("ACCOUNT_EMAIL_VERIFICATION", "mandatory")
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.integer("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = env.boolean("EMAIL_USE_SSL", default=False)  # from the first byte, as port 465 wants
EMAIL_USE_TLS = env.boolean("EMAIL_USE_TLS", default=True) and not EMAIL_USE_SSL
LOGGING = logs.log_settings(as_json=True, collector=env.text("SENTRY_DSN", ""))
