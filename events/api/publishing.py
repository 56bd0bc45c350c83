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
from events.queries.publishing import told_of
from events.services.publishing import Preview, preview
from rules.engine.publication import publication_of
from rules.models import Publication
from rules.queries.publications import is_game_organiser, publication_of_game, publications_of
from rules.services.publishing import publish, require_organiser


class PublishParameters(QueryParameters):
    dry_run = serializers.BooleanField(default=False, help_text="Tell what would change, and change nothing.")


class ListChangeRequest(serializers.Serializer):
    """A card on the list of a format. Points are given for the status points; 0 takes the card off that list."""

    format = serializers.CharField(max_length=60, help_text="Its slug.")
    card = serializers.CharField(max_length=120, help_text="Any of its names.")
    status = serializers.ChoiceField(["banned", "restricted", "limit", "points", "legal"])
    max_copies = serializers.IntegerField(required=False, min_value=0, max_value=1000)
    points = serializers.IntegerField(required=False, min_value=0, max_value=1000)
    zone = serializers.CharField(required=False, max_length=40, help_text="The only zone that it speaks of.")
    section = serializers.CharField(max_length=20, help_text='The section that says so: "EPIC 12.6".')
    effective_on = serializers.DateField(required=False, help_text="Where it isn't the publication's.")


class TagChangeRequest(serializers.Serializer):
    tag = serializers.CharField(max_length=40)
    add = serializers.ListField(child=serializers.CharField(), required=False)
    remove = serializers.ListField(child=serializers.CharField(), required=False)
    effective_on = serializers.DateField(required=False)


class PublicationRequest(serializers.Serializer):
    """As in a TOML file of the same shape."""

    title = serializers.CharField(max_length=160)
    source = serializers.CharField(max_length=300)  # type: ignore[assignment]  # a field may be called so; DRF moves it
    announced_on = serializers.DateField(required=False)
    effective_on = serializers.DateField(help_text="The first day on which it holds: today at the earliest.")
    changes = ListChangeRequest(many=True, required=False)
    tags = TagChangeRequest(many=True, required=False)
    formats = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="New versions, as the files of a game pack have them."
    )


class ListChangeAnswer(serializers.Serializer):
    format = serializers.CharField()
    card = serializers.CharField()
    zone = serializers.CharField()
    before = serializers.DictField(allow_null=True, help_text="status, max_copies, points; null for no list.")
    after = serializers.DictField(allow_null=True)
    section = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class TagChangeAnswer(serializers.Serializer):
    tag = serializers.CharField()
    card = serializers.CharField()
    after = serializers.BooleanField(help_text="Whether the card is on the list then.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class VersionAnswer(serializers.Serializer):
    format = serializers.CharField()
    version = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="The version that ends on that day.")
    rows = serializers.ListField(child=serializers.DictField(), help_text="label, before, after, cite.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class PublicationAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk", allow_null=True, help_text="null in a dry run.")
    title = serializers.CharField()
    source = serializers.CharField(source="payload.source")  # type: ignore[assignment]  # DRF moves it
    announced_on = serializers.DateField(source="payload.announced_on", allow_null=True, default=None)
    effective_on = serializers.DateField()
    published_at = serializers.DateTimeField(allow_null=True)
    changes = ListChangeAnswer(source="summary.changes", many=True, default=[])
    tags = TagChangeAnswer(source="summary.tags", many=True, default=[])
    formats = VersionAnswer(source="summary.formats", many=True, default=[])


class PublicationsAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = PublicationAnswer(many=True)


class VerdictsAnswer(serializers.Serializer):
    before = serializers.CharField()
    after = serializers.CharField()
    decklists = serializers.IntegerField()


class EventMetAnswer(serializers.Serializer):
    event = serializers.CharField(help_text="Its code.")
    name = serializers.CharField()
    decklists = serializers.IntegerField()


class EventJudgedAnswer(EventMetAnswer):
    legality_date = serializers.DateField()
    verdicts = VerdictsAnswer(many=True, allow_null=True, help_text="null where they are too many to judge meanwhile.")


class ReachAnswer(serializers.Serializer):
    """How many decklists there are. Whose they are is nobody's business but their event's."""

    decklists = serializers.IntegerField(help_text="Of events that have not begun.")
    changing = serializers.IntegerField(allow_null=True, help_text="Those that change their verdict.")
    events = EventJudgedAnswer(many=True)
    running = EventMetAnswer(many=True, help_text="These are not touched.")
    finished = serializers.IntegerField(help_text="Finished events with such decklists; not touched either.")


class DoneAnswer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    created = serializers.BooleanField(help_text="false: the same was published before, or this is a dry run.")
    publication = PublicationAnswer()
    reach = ReachAnswer(allow_null=True, help_text="Only in a dry run.")


class JudgedAnswer(serializers.Serializer):
    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])
    decklists = serializers.IntegerField(allow_null=True, help_text="null until they are collected.")
    done = serializers.IntegerField()
    changed = serializers.IntegerField()


class EventToldAnswer(serializers.Serializer):
    event = serializers.CharField()
    judged = serializers.IntegerField()
    changed = serializers.IntegerField()


class PublicationDetailAnswer(PublicationAnswer):
    revalidation = JudgedAnswer(allow_null=True, help_text="For organisers of the game.")
    events = EventToldAnswer(many=True, allow_null=True, help_text="For organisers of the game.")


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
    described = dict(PublicationAnswer(publication).data)
    return described if stored else {**described, "id": None, "published_at": None}


class PublicationsView(APIView):
    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in ("GET", "HEAD", "OPTIONS") else IsAuthenticated()]

    @extend_schema(parameters=[PageParameters], responses=PublicationsAnswer, operation_id="list_publications")
    def get(self, request: Request, game: str) -> Response:
        """What was published for the game, newest first."""
        found = game_by_slug(slug=game)
        number, rows = page_of(publications_of(game=found), PageParameters.of(request))
        return Response(PublicationsAnswer({"count": number, "results": rows}).data)

    @extend_schema(
        parameters=[PublishParameters],
        request=PublicationRequest,
        responses={200: DoneAnswer, 201: DoneAnswer},
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

    @extend_schema(responses=PublicationDetailAnswer, operation_id="get_publication")
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
