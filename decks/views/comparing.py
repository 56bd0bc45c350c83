"""Two decklists beside each other, for anybody; of one's own decks also by their numbers."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.models import User
from config.errors import DomainError, NotFound
from decks.forms import CompareForm
from decks.models import Deck
from decks.queries import deck_of, decks_of
from decks.queries.history import version_of
from decks.queries.texts import compare_texts


@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest) -> HttpResponse:
    """POST compares two texts, GET ``?first=12&second=12.3`` a deck of one's own with an older version of it."""
    context: dict[str, Any] = {"names": ("the first", "the second")}
    user = request.user if isinstance(request.user, User) else None
    if request.method == "POST":
        form = CompareForm(request.POST)
    elif picked := [request.GET[key] for key in ("first", "second") if request.GET.get(key)]:
        if user is None:
            return redirect_to_login(request.get_full_path())
        form, context["names"] = _form_of(user, picked)
    else:
        form = CompareForm()
    status = 200
    if form.is_bound:
        if form.is_valid():
            values = form.cleaned_data
            try:
                context["compared"] = compare_texts(
                    first=values["first_text"], second=values["second_text"], game=values["game"]
                )
            except DomainError as error:
                form.add_error(None, error.message)
        if not form.is_valid():
            status = 400
    context |= {"form": form, "decks": decks_of(owner=user) if user else ()}
    return render(request, "decks/compare.html", context, status=status)


def _form_of(user: User, picked: list[str]) -> tuple[CompareForm, tuple[str, ...]]:
    """Four queries for a version of a deck, one for a deck. NotFound: no such deck among ``user``'s."""
    found = [_text_of(user, pick) for pick in picked]
    if len(found) == 1:
        initial = {"game": found[0][0].game.slug, "first_text": found[0][2]}
        return CompareForm(initial=initial), (found[0][1], "the second")
    (first, first_name, first_text), (second, second_name, second_text) = found
    if first.game != second.game:
        raise DomainError("decks.other_game", f"{first_name} and {second_name} are decks of different games.")
    data = {"game": first.game.slug, "first_text": first_text, "second_text": second_text}
    return CompareForm(data), (first_name, second_name)


def _text_of(user: User, pick: str) -> tuple[Deck, str, str]:
    """The deck, what it is called, and its text."""
    deck, dot, number = pick.partition(".")
    if not all(word.isascii() and word.isdecimal() and len(word) < 18 for word in (deck, *([number] if dot else []))):
        raise NotFound("decks.not_found", "There is no such deck among yours. Look at the list of your decks.")
    if not dot:
        found = deck_of(owner=user, deck_id=int(deck))
        return found, found.name, found.text
    found, version = version_of(owner=user, deck_id=int(deck), number=min(int(number), 2**31 - 1))
    return found, f"{version.name}, version {version.number}", version.text
