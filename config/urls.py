"""The addresses of the site. Each app owns the part below its own name."""

from django.contrib import admin
from django.urls import include, path

from config import installed, views

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("sw.js", installed.worker, name="worker"),
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("offline/", installed.offline, name="offline"),
    path("offline/sender", installed.sender, name="sender"),
    path("account/", include("accounts.urls")),
    path("account/notifications/", include("events.urls_notices")),
    path("account/", include("allauth.account.urls")),
    path("", include("cards.urls")),
    path("", include("rules.urls")),
    path("", include("decks.urls")),
    path("e/", include("events.urls")),
    path("games/", include("events.urls_games")),
    path("series/", include("events.urls_series")),
    path("design", views.design, name="design"),
    path("api/v1/", include("config.api.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
