"""What all environments share."""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from diplomacy_site import __version__, env, logs

BASE_DIR = Path(__file__).resolve().parents[2]

# The version on the status page; an image is given its version when it is built.
SITE_VERSION = env.text("SITE_VERSION", __version__)
# Requests that send it may read /metrics. Without one no one may.
BACKUP_TO, BACKUP_KEY = env.backups("BACKUP_TO", "BACKUP_KEY")
METRICS_TOKEN = env.secret("METRICS_TOKEN") if env.text("METRICS_TOKEN", "") else ""
# These get a letter when something is wrong. ALIVE_URL is called every minute in which nothing is.
ADMIN_EMAIL = env.email_addresses("ADMIN_EMAIL")
ALIVE_URL = env.url("ALIVE_URL", schemes=("https", "http")) if env.text("ALIVE_URL", "") else ""
EMAIL_BACKEND = "diplomacy_site.mail.EmailBackend"
EMAIL_TIMEOUT = 5  # in seconds, for connecting

INSTALLED_APPS = [
    "diplomacy_site.accounts.apps.GuardedAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "diplomacy_site",
    "diplomacy_site.accounts.apps.AccountsConfig",
    "games",
    "games.kernel",
    "games.sealed",
    "games.news",
    "games.history",
    "games.press",
    "games.deadlines",
    "games.orders",
    "games.endings",
    "games.consent",
    "games.seating",
    "games.mastering",
    "games.people",
    "games.tournaments",
    "games.bots",
    "games.learning",
    "games.practice",
    "games.travel",
    "games.pages",
]

MIDDLEWARE = [
    "diplomacy_site.page_counts.CountPages",
    "diplomacy_site.logs.RequestId",
    "django.middleware.security.SecurityMiddleware",
    "diplomacy_site.middleware.CautiousHeaders",
    "diplomacy_site.middleware.ScriptsOfOtherSites",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.kernel.languages.ChosenLanguage",
    "diplomacy_site.accounts.seen.LastSeen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.practice.guests.GuestMiddleware",
    "games.kernel.gone.PagesThatAreGone",
    "diplomacy_site.middleware.PageForWrongMethod",
]

ROOT_URLCONF = "diplomacy_site.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["games.templatetags.signed_forms", "games.templatetags.sentences"],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["games.kernel.told_in_templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
        },
    }
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ADMIN_PATH = "admin/"

# Language and time: everything is stored and computed in UTC; users see it in their own zone.
LANGUAGE_CODE = "en-gb"
DATE_FORMAT = "j F Y"  # for languages in which Django knows no other
LANGUAGES = [("en-gb", "English")]
LOCALE_PATHS = [BASE_DIR / "diplomacy_site" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["diplomacy_site.accounts.backend.SignInBackend"]
PASSWORD_HASHERS = ["diplomacy_site.accounts.backend.OneAtATime"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "diplomacy_site.accounts.backend.PasswordLength"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_USERNAME_VALIDATORS = "diplomacy_site.accounts.forms.NAME_VALIDATORS"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_SIGNUP_REDIRECT_URL = "/welcome/"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that has just signed up
SIGN_UP = env.one_of("SIGN_UP", "open", "invitation", "approval")
ACCOUNT_ADAPTER = "diplomacy_site.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "diplomacy_site.accounts.forms.LoginForm",
    "signup": "diplomacy_site.accounts.forms.SignupForm",
    "add_email": "diplomacy_site.accounts.forms.AddEmailForm",
    "change_password": "diplomacy_site.accounts.forms.ChangePasswordForm",
    "reset_password": "diplomacy_site.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "diplomacy_site.accounts.forms.NewPasswordForm",
    "reauthenticate": "diplomacy_site.accounts.forms.ReauthenticateForm",
}
ACCOUNT_EMAIL_NOTIFICATIONS = True  # an email for every change of a password, an address or a second factor
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before changing an address or a second factor
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "gm", "moderator", "staff", "system"]

# How often, by network, by account, and by the name or address typed.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    "signup": "20/h/ip",
    "reset_password": "20/h/ip,5/h/key",
    "manage_email": "10/h/user",
    "change_password": "5/m/user",
    "reauthenticate": "10/m/user",
}

# The second factor
STAFF_SECOND_FACTOR = True  # the pages of staff and moderators open to no one without one
MFA_ADAPTER = "diplomacy_site.accounts.second_factor.EncryptedFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "Diplomacy"
MFA_TOTP_TOLERANCE = 2  # of half a minute: nobody is told of a machine whose clock is up to a minute off
MFA_FORMS = {
    "authenticate": "diplomacy_site.accounts.forms.SecondFactorForm",
    "reauthenticate": "diplomacy_site.accounts.forms.SecondFactorAgainForm",
    "activate_totp": "diplomacy_site.accounts.forms.ActivateAppForm",
    "add_webauthn": "diplomacy_site.accounts.forms.AddPasskeyForm",
}

# Errors are reported without what users typed.
DEFAULT_EXCEPTION_REPORTER = "diplomacy_site.server_errors.ErrorReport"

# Static files
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "static_root"
STATICFILES_DIRS = [BASE_DIR / "static"]

# What a page may load: only files from this site, and nothing inline.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "games.people.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # with "Keep me signed in"; otherwise until the browser is closed
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # scripts read the token from the page
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "games.kernel.signing_in.page_too_old"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
FILES_PATH, LONGEST_FILE = "/add-a-game/", 8 * 1024 * 1024  # no page takes longer ones
ROSTERS, LONGEST_ROSTER = (("/tournaments/", "/manage/"), 1_200_000)  # how paths that take lists start and end
FILE_UPLOAD_MAX_MEMORY_SIZE = LONGEST_FILE

# What one network, an IPv4 address or the /64 of an IPv6 household, may have open at a time in each web process.
EVENT_STREAMS_PER_NETWORK = env.integer("EVENT_STREAMS_PER_NETWORK", 100)
OPEN_REQUESTS_PER_NETWORK = env.integer("OPEN_REQUESTS_PER_NETWORK", 100)

# Painted pictures: where they are kept, and how many bytes of them.
PICTURES_FOLDER = Path(env.text("PICTURES_FOLDER", str(BASE_DIR / ".data" / "pictures")))
PICTURES_BYTES = env.integer("PICTURES_MEGABYTES", 100) * 1_000_000

# How many games of guests, who play against bots without an account, may be in progress.
MOST_GUEST_GAMES = env.integer("MOST_GUEST_GAMES", 200)

# The API
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "EXCEPTION_HANDLER": "games.api.errors.answer_to_exception",
    "DEFAULT_PERMISSION_CLASSES": [
        "games.api.access.KnownMethod",
        "rest_framework.permissions.IsAuthenticatedOrReadOnly",
        "games.api.access.WithinScope",
        "games.api.access.LabelledBotSeat",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.parsing.OnlyOneForm",
    "DEFAULT_PARSER_CLASSES": ["games.api.parsing.ShallowJSON"],
    "DEFAULT_SCHEMA_CLASS": "games.api.schema.SchemaWithScopes",
    "DEFAULT_THROTTLE_CLASSES": ["games.kernel.limits.StrangersThrottle", "games.kernel.limits.AccountsThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "240/min"},
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Diplomacy variants",
    "DESCRIPTION": "Read, watch, play and master games of Diplomacy variants. The guide is at /api/.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {"variant": {"type": "string"}},
    "ENUM_NAME_OVERRIDES": {"BotLevelEnum": ["easy", "medium", "strong"], "KindEnum": ["draw", "concession"]},
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "games.api.schema.complete_schema"],
}

# Tasks. The deadline is a column: a task only looks for what is due, so a lost message costs one beat, and one that is
# late does no harm. None expires: that would be judged by the clock of the worker's machine, which may be wrong.
#
# Three queues, so that neither a dead mail server nor a hundred bots delay a deadline, and no bot an email.
DEADLINES, BACKGROUND, BOTS = "deadlines", "background", "bots"
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {DEADLINES: {}, BACKGROUND: {}, BOTS: {}}
CELERY_TASK_DEFAULT_QUEUE = BACKGROUND
CELERY_TASK_ROUTES = {
    **{f"games.tasks.{name}": {"queue": DEADLINES} for name in ("sweep", "sweep_roll_calls")},
    "games.tasks.play_bots": {"queue": BOTS},
}
BACKUP_SCHEDULE: dict[str, dict[str, Any]] = {"back up": {"task": "diplomacy_site.tasks.back_up", "schedule": 300.0}}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 100
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # a Redis that refuses to write may do so again, and ends no worker
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_timeout": 10,
    "socket_connect_timeout": 5,
    "health_check_interval": 25,
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    **(BACKUP_SCHEDULE if BACKUP_TO else {}),
    "advance what is due": {"task": "games.tasks.sweep", "schedule": 1.0},
    "sweep roll calls": {"task": "games.tasks.sweep_roll_calls", "schedule": 10.0},
    "sweep waiting games": {"task": "games.tasks.sweep_waiting", "schedule": 60.0},
    "deliver messages": {"task": "games.tasks.deliver", "schedule": 10.0},
    "tell devices": {"task": "games.tasks.tell_devices", "schedule": 10.0},
    "tell other sites": {"task": "games.tasks.tell_outside", "schedule": 10.0},
    "paint cards": {"task": "games.tasks.paint_cards", "schedule": 10.0},
    "remind": {"task": "games.tasks.remind", "schedule": 20.0},
    "tell the approved": {"task": "games.tasks.tell_approved", "schedule": 20.0},
    "send invitations": {"task": "games.tasks.send_invitations", "schedule": 20.0},
    "plan rounds": {"task": "games.tasks.plan_rounds", "schedule": 10.0},
    "keep hours of rounds": {"task": "games.tasks.keep_hours", "schedule": 5.0},
    "end suspensions": {"task": "games.tasks.end_suspensions", "schedule": 60.0},
    "sweep guests": {"task": "games.tasks.sweep_guests", "schedule": 3600.0},
    "forget sign-ins": {"task": "games.tasks.forget_sign_ins", "schedule": 3600.0},
    "let bots play": {"task": "games.tasks.play_bots", "schedule": 5.0},
    "fill vacant seats": {"task": "games.tasks.sweep_vacant", "schedule": 60.0},
}

# Servers ("name:port") that may be posted to although they are not on the open network: none but for trials.
OUTBOUND_ALLOWED: frozenset[str] = frozenset()

# The private key, 32 bytes, with which the site signs push notifications; without it, there are none.
PUSH_KEY: bytes | None = None
LOGGING = logs.log_settings(as_json=False)
