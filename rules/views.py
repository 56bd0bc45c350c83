from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def documents(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/documents.html")


def search(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/search.html")


def document(request: HttpRequest, game: str, document: str, version: str) -> HttpResponse:
    return render(request, "rules/document.html")


def section(request: HttpRequest, game: str, document: str, version: str, number: str) -> HttpResponse:
    return render(request, "rules/section.html")


def format_page(request: HttpRequest, game: str, format: str) -> HttpResponse:
    return render(request, "rules/format.html")
