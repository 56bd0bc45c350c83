"""Publishing lists and format versions of a game, for programs."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cards.api import PageParameters, QueryParameters, page_of
from cards.queries import game_by_slug
from decks.models import Revalidation
from events import tasks
from events.api.commands import user_of
from events.api.serializers.publishing import (
    PublishAnswer,
    PublishedAnswer,
    PublishedDetailAnswer,
    PublishedListAnswer,
    PublishRequest,
)
from events.queries.publishing import told_of
from events.services.publishing import Preview, preview
from rules.engine.publication import publication_of
from rules.models import Publication
from rules.queries.publications import is_game_organiser, publication_of_game, publications_of
from rules.services.publishing import publish, require_organiser


class PublishParameters(QueryParameters):
    dry_run = serializers.BooleanField(default=False, help_text="Tell what would change, and change nothing.")


def _reach(found: Preview) -> dict[str, Any]:
    def event(met: Any) -> dict[str, Any]:
        return {"event": met.event.code, "name": met.event.name, "decklists": len(met.decklist_ids)}

    return {
        "decklists": len(found.reach.decklist_ids),
        "changing": found.changing,
        "events": [
            {
                **event(met),
                "legality_date": met.event.legality_date,
                "verdicts": None
                if found.verdicts is None
                else [{"before": b, "after": a, "decklists": number} for (b, a), number in outcomes.items()],
            }
            for met, outcomes in found.events
        ],
        "running": [event(met) for met in found.reach.running],
        "finished": found.reach.finished,
    }


def _described(publication: Publication, *, stored: bool = True) -> dict[str, Any]:
    described = dict(PublishedAnswer(publication).data)
    return described if stored else {**described, "id": None, "published_at": None}


class PublicationsView(APIView):
    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in ("GET", "HEAD", "OPTIONS") else IsAuthenticated()]

    @extend_schema(parameters=[PageParameters], responses=PublishedListAnswer, operation_id="list_publications")
    def get(self, request: Request, game: str) -> Response:
        """What was published for the game, newest first."""
        found = game_by_slug(slug=game)
        number, rows = page_of(publications_of(game=found), PageParameters.of(request))
        return Response(PublishedListAnswer({"count": number, "results": rows}).data)

    @extend_schema(
        parameters=[PublishParameters],
        request=PublishRequest,
        responses={200: PublishAnswer, 201: PublishAnswer},
        operation_id="publish",
    )
    def post(self, request: Request, game: str) -> Response:
        """Change lists, tags and format versions from a day on. For organisers of the game.

        The same body twice is published once: the second answer is the first's, with 200. Decklists of events that
        have not begun are judged again in the background; running and finished events are not touched.
        """
        values = PublishParameters.of(request)
        found, user = game_by_slug(slug=game), user_of(request)
        require_organiser(game=found, user=user)
        file = publication_of(request.data)
        if values["dry_run"]:
            shown = preview(game=found, user=user, file=file)
            described = _described(shown.publication, stored=shown.is_published)
            return Response({"dry_run": True, "created": False, "publication": described, "reach": _reach(shown)})
        published = publish(game=found, user=user, file=file)
        tasks.start_following(published.publication.pk)
        answer = {
            "dry_run": False,
            "created": published.created,
            "publication": _described(published.publication),
            "reach": None,
        }
        return Response(answer, status=status.HTTP_201_CREATED if published.created else status.HTTP_200_OK)


class PublicationView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses=PublishedDetailAnswer, operation_id="get_publication")
    def get(self, request: Request, game: str, publication: int) -> Response:
        """What was published; for organisers of the game, how far its decklists are judged again."""
        found = game_by_slug(slug=game)
        read = publication_of_game(game=found, number=publication)
        answer = {**_described(read), "revalidation": None, "events": None}
        if is_game_organiser(game=found, user=request.user):
            answer["revalidation"] = _judged(Revalidation.objects.filter(publication=read).first())
            answer["events"] = [
                {"event": event.code, "judged": said["judged"], "changed": len(said["changed"])}
                for event, said in told_of(publication_id=read.pk)
            ]
        return Response(answer)


def _judged(found: Revalidation | None) -> dict[str, Any]:
    if found is None:
        return {"state": "waiting", "decklists": None, "done": 0, "changed": 0}
    return {
        "state": found.state,
        "decklists": len(found.decklist_ids),
        "done": found.done,
        "changed": found.changed,
    }


urlpatterns = [
    path("games/<slug:game>/publications", PublicationsView.as_view(), name="publications"),
    path("games/<slug:game>/publications/<int:publication>", PublicationView.as_view(), name="publication"),
]
