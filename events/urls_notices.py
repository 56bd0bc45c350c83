"""Addresses below /account/notifications/. They are here since what people are told is about events."""

from __future__ import annotations

from django.urls import path

from events.views import notices

app_name = "notices"
urlpatterns = [
    path("", notices.choose, name="choose"),
    path("browsers/end", notices.end_browsers, name="end_browsers"),
    path("mute/<slug:code>", notices.mute, name="mute"),
    path("stop/<str:token>", notices.stop_mail, name="stop_mail"),
]
