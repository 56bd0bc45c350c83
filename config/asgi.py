"""The live feed in front of Django. Where pages are served by WSGI, run ``config.asgi:feed`` alone for /live/."""

import os
from typing import cast

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

from config.live import Application, LiveFeed  # noqa: E402 - settings have to be ready

feed = LiveFeed()
application = LiveFeed(otherwise=cast(Application, django_application))
