"""The import of cards, for programs."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from cards.api import QueryParameters
from cards.engine.facts import fact_specs
from cards.engine.files import read_objects
from cards.queries import game_by_slug
from rules.services.card_import import import_file, require_organiser


class ImportParameters(QueryParameters):
    dry_run = serializers.BooleanField(default=False, help_text="Tell what would change, and change nothing.")


class ImportRequest(serializers.Serializer):
    cards = serializers.ListField(
        child=serializers.JSONField(),
        default=list,
        help_text="One object for each printing: set, number, name, aliases, faces, former, text, facts.",
    )
    sets = serializers.ListField(
        child=serializers.JSONField(),
        default=list,
        help_text="Sets that are new or change: code, name, released_on, legal_on, sample.",
    )
    digest = serializers.CharField(
        required=False, max_length=64, help_text="That of a dry run: import only if it still does exactly that."
    )

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError({name: ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)


class FieldChangeAnswer(serializers.Serializer):
    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field may be called so; DRF moves it
    old = serializers.JSONField(allow_null=True)
    new = serializers.JSONField(allow_null=True, help_text="A list holds what is added.")


class ChangeAnswer(serializers.Serializer):
    name = serializers.CharField()
    line = serializers.IntegerField(help_text="The card's place in the list, from 1.")
    is_new = serializers.BooleanField()
    fields = FieldChangeAnswer(many=True)  # type: ignore[assignment]  # a field may be called so; DRF moves it


class ClashAnswer(serializers.Serializer):
    line = serializers.IntegerField()
    message = serializers.CharField()


class ImportAnswer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="added, changed, same, clashing, sets, and forgotten: facts lost."
    )
    cards = ChangeAnswer(many=True)
    sets = ChangeAnswer(many=True)
    clashes = ClashAnswer(many=True, help_text="Cards that mean another one. With any, nothing can be imported.")
    digest = serializers.CharField()
    undo = serializers.DictField(help_text="A body for this address that gives what was changed its old values.")


class CardImportView(APIView):
    @extend_schema(
        parameters=[ImportParameters], request=ImportRequest, responses=ImportAnswer, operation_id="import_cards"
    )
    def post(self, request: Request, game: str) -> Response:
        """Adds and changes cards and sets, all or nothing. For organisers of the game.

        Cards that the body leaves out stay as they are, so a large game can be sent in parts of 256 kB.
        """
        values = ImportParameters.of(request)
        found = game_by_slug(slug=game)
        assert isinstance(request.user, User)
        require_organiser(game=found, user=request.user)
        asked = ImportRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        body = asked.validated_data
        cards, sets = (list(zip(body[key], count(1), strict=False)) for key in ("cards", "sets"))
        done = import_file(
            game=found,
            user=request.user,
            file=read_objects(cards, sets, fact_specs(found.facts)),
            dry_run=values["dry_run"],
            expected=body.get("digest"),
        )
        undo = {} if values["dry_run"] else done.undo
        return Response({"dry_run": values["dry_run"], **done.as_json(), "undo": undo})


urlpatterns = [path("games/<slug:game>/cards/import", CardImportView.as_view(), name="import-cards")]
