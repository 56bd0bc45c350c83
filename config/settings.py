"""Settings. Production names its servers and its secrets in the environment; a checkout that names none is embedded."""

import os
from pathlib import Path
from typing import Any

import environ

from config.embedded.servers import default, named

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

_named = named(os.environ)
EMBEDDED = env.bool("TILTYARD_EMBEDDED", default=not _named)
if not _named:
    for _name, _value in default().environ.items():
        os.environ.setdefault(_name, _value)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="embedded-and-on-loopback-only" if EMBEDDED else environ.Env.NOTSET)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if EMBEDDED else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
REDIS_URL = env.str("REDIS_URL")


def _postgres(url: str) -> dict[str, Any]:
    """libpq's own parser reads the address, so that every parameter it knows may stand in it."""
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(url)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", "tiltyard"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": {
            **parts,
            "pool": {"min_size": 1, "max_size": env.int("DB_POOL_MAX", default=12), "timeout": 10},
            # Those of config.prepared alone: what Django runs by itself is never prepared. A pooler that gives every
            # transaction another connection (PgBouncer before 1.21) can't keep them.
            "prepare_threshold": 2 if env.bool("DB_PREPARES", default=True) else None,
        },
        "CONN_MAX_AGE": 0,  # the pool keeps connections; Django refuses both together
        "ATOMIC_REQUESTS": False,
        "TEST": {"NAME": "test_tiltyard"},
    }


DATABASES = {"default": _postgres(env.str("DATABASE_URL"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "tiltyard",
    }
}

INSTALLED_APPS = [
    "accounts",
    "cards",
    "rules",
    "decks",
    "events",
    "config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
]
MIDDLEWARE = [
    "config.middleware.RefuseUnreadableInput",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "events.views.shared.ShareWithGuests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.installed.SayWhoseItIs",
    "config.middleware.KeepPrivateAnswers",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.TellDomainErrors",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = None if EMBEDDED else BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = EMBEDDED
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
LANGUAGE_CODE = "en-gb"
USE_TZ = True
TIME_ZONE = "UTC"

# -- people ---------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.AccountBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SILENCED_SYSTEM_CHECKS = ["auth.W004"]  # the address is unique in every spelling: User's constraint on Lower("email")
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.SignupExtra"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# A whole hall stands behind one address: the limits by address are wide, those by account are not.
ACCOUNT_RATE_LIMITS = {"signup": "200/m/ip", "login": "300/m/ip", "login_failed": "100/m/ip,5/300s/key"}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
EMAIL_BACKEND = env.str(
    "EMAIL_BACKEND",
    default="django.core.mail.backends.console.EmailBackend"
    if EMBEDDED
    else "django.core.mail.backends.smtp.EmailBackend",
)
EMAIL_HOST = env.str("EMAIL_HOST", default="localhost")
EMAIL_PORT = env.int("EMAIL_PORT", default=25)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", default="")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", default="")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", default=False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Tiltyard <noreply@localhost>")

# -- what leaves the house ------------------------------------------------------------------------------------------
SITE_URL = env.str("SITE_URL", default=(CSRF_TRUSTED_ORIGINS or ["http://127.0.0.1:8000"])[0]).rstrip("/")
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")  # manage.py make_push_key
VAPID_SUBJECT = env.str("VAPID_SUBJECT", default=SITE_URL)
ALLOW_PRIVATE_TARGETS = env.bool("ALLOW_PRIVATE_TARGETS", default=False)

# -- what a browser may do ------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not EMBEDDED and not DEBUG
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=not EMBEDDED and not DEBUG)
SECURE_HSTS_SECONDS = 0 if EMBEDDED or DEBUG else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS > 0
if env.bool("BEHIND_TLS_PROXY", default=False):  # only where the proxy strips these headers from what clients send
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 2
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# -- work that nobody waits for -------------------------------------------------------------------------------------
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "relay-outbox": {"task": "events.tasks.relay_outbox", "schedule": 5.0, "options": {"expires": 5}},
    "send-notices": {"task": "events.tasks.send_notices", "schedule": 3.0, "options": {"expires": 3}},
    "forget-old": {"task": "events.tasks.forget_old", "schedule": 3600.0, "options": {"expires": 3600}},
    "make-papers": {"task": "events.tasks.make_waiting_papers", "schedule": 60.0, "options": {"expires": 60}},
    "follow-publications": {"task": "events.tasks.follow_publications", "schedule": 300.0, "options": {"expires": 300}},
}

# -- API ------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": ["config.api.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["config.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "config.api.problems.problem",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,  # "format" is a word of ours
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tiltyard",
    "VERSION": "1",
    "DESCRIPTION": "Tournaments and deck legality for card games. Errors are application/problem+json (RFC 9457).",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "EventState": "events.models.Event.State",
        "StageKind": "events.models.Stage.Kind",
        "StageState": "events.models.Stage.State",
        "PlayerState": "events.models.Player.State",
        "RoundState": "events.models.Round.State",
        "MatchState": "events.models.Match.State",
        "VerdictOutcome": "decks.models.Verdict.Outcome",
        "RulingKind": "rules.models.Ruling.Kind",
        "TimelineEventKind": "rules.api.formats.KINDS",
        "CutChance": "events.api.outlook.CHANCES",
        "StaffRoleName": "events.models.StaffRole.Role",
        "StaffInviteState": "events.api.serializers.staffing.INVITE_STATES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.schema.describe_problems",
    ],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
