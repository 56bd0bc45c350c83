"""Addresses below /series/."""

from __future__ import annotations

from django.urls import path

from events.views import series

app_name = "series"
urlpatterns = [
    path("", series.index, name="index"),
    path("new", series.new, name="new"),
    path("<slug:slug>/", series.series, name="series"),
    path("<slug:slug>/change", series.change, name="change"),
    path("<slug:slug>/join", series.join, name="join"),
    path("<slug:slug>/leave/<slug:code>", series.leave, name="leave"),
    path("<slug:slug>/standings.csv", series.download, {"kind": "csv"}, name="csv"),
    path("<slug:slug>/standings.json", series.download, {"kind": "json"}, name="json"),
]
