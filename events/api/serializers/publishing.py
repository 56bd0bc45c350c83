"""What programs send to publish for a game, and what they get of it."""

from __future__ import annotations

from rest_framework import serializers


class PublishChangeRequest(serializers.Serializer):
    """A card on the list of a format. Points are given for the status points; 0 takes the card off that list."""

    format = serializers.CharField(max_length=60, help_text="Its slug.")
    card = serializers.CharField(max_length=120, help_text="Any of its names.")
    status = serializers.ChoiceField(["banned", "restricted", "limit", "points", "legal"])
    max_copies = serializers.IntegerField(required=False, min_value=0, max_value=1000)
    points = serializers.IntegerField(required=False, min_value=0, max_value=1000)
    zone = serializers.CharField(required=False, max_length=40, help_text="The only zone that it speaks of.")
    section = serializers.CharField(max_length=20, help_text='The section that says so: "EPIC 12.6".')
    effective_on = serializers.DateField(required=False, help_text="Where it isn't the publication's.")


class PublishTagRequest(serializers.Serializer):
    tag = serializers.CharField(max_length=40)
    add = serializers.ListField(child=serializers.CharField(), required=False)
    remove = serializers.ListField(child=serializers.CharField(), required=False)
    effective_on = serializers.DateField(required=False)


class PublishRequest(serializers.Serializer):
    """As in a TOML file of the same shape."""

    title = serializers.CharField(max_length=160)
    source = serializers.CharField(max_length=300)  # type: ignore[assignment]  # a field may be called so; DRF moves it
    announced_on = serializers.DateField(required=False)
    effective_on = serializers.DateField(help_text="The first day on which it holds: today at the earliest.")
    changes = PublishChangeRequest(many=True, required=False)
    tags = PublishTagRequest(many=True, required=False)
    formats = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="New versions, as the files of a game pack have them."
    )


class PublishedChangeAnswer(serializers.Serializer):
    format = serializers.CharField()
    card = serializers.CharField()
    zone = serializers.CharField()
    before = serializers.DictField(allow_null=True, help_text="status, max_copies, points; null for no list.")
    after = serializers.DictField(allow_null=True)
    section = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class PublishedTagAnswer(serializers.Serializer):
    tag = serializers.CharField()
    card = serializers.CharField()
    after = serializers.BooleanField(help_text="Whether the card is on the list then.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class PublishedVersionAnswer(serializers.Serializer):
    format = serializers.CharField()
    version = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="The version that ends on that day.")
    rows = serializers.ListField(child=serializers.DictField(), help_text="label, before, after, cite.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": serializers.DateField()}


class PublishedAnswer(serializers.Serializer):
    id = serializers.IntegerField(source="pk", allow_null=True, help_text="null in a dry run.")
    title = serializers.CharField()
    source = serializers.CharField(source="payload.source")  # type: ignore[assignment]  # DRF moves it
    announced_on = serializers.DateField(source="payload.announced_on", allow_null=True, default=None)
    effective_on = serializers.DateField()
    published_at = serializers.DateTimeField(allow_null=True)
    changes = PublishedChangeAnswer(source="summary.changes", many=True, default=[])
    tags = PublishedTagAnswer(source="summary.tags", many=True, default=[])
    formats = PublishedVersionAnswer(source="summary.formats", many=True, default=[])


class PublishedListAnswer(serializers.Serializer):
    count = serializers.IntegerField()
    results = PublishedAnswer(many=True)


class ChangedVerdictsAnswer(serializers.Serializer):
    before = serializers.CharField()
    after = serializers.CharField()
    decklists = serializers.IntegerField()


class EventMetAnswer(serializers.Serializer):
    event = serializers.CharField(help_text="Its code.")
    name = serializers.CharField()
    decklists = serializers.IntegerField()


class EventJudgedAnswer(EventMetAnswer):
    legality_date = serializers.DateField()
    verdicts = ChangedVerdictsAnswer(
        many=True, allow_null=True, help_text="null where they are too many to judge meanwhile."
    )


class ReachAnswer(serializers.Serializer):
    """How many decklists there are. Whose they are is nobody's business but their event's."""

    decklists = serializers.IntegerField(help_text="Of events that have not begun.")
    changing = serializers.IntegerField(allow_null=True, help_text="Those that change their verdict.")
    events = EventJudgedAnswer(many=True)
    running = EventMetAnswer(many=True, help_text="These are not touched.")
    finished = serializers.IntegerField(help_text="Finished events with such decklists; not touched either.")


class PublishAnswer(serializers.Serializer):
    dry_run = serializers.BooleanField()
    created = serializers.BooleanField(help_text="false: the same was published before, or this is a dry run.")
    publication = PublishedAnswer()
    reach = ReachAnswer(allow_null=True, help_text="Only in a dry run.")


class JudgedAgainAnswer(serializers.Serializer):
    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])
    decklists = serializers.IntegerField(allow_null=True, help_text="null until they are collected.")
    done = serializers.IntegerField()
    changed = serializers.IntegerField()


class EventToldAnswer(serializers.Serializer):
    event = serializers.CharField()
    judged = serializers.IntegerField()
    changed = serializers.IntegerField()


class PublishedDetailAnswer(PublishedAnswer):
    revalidation = JudgedAgainAnswer(allow_null=True, help_text="For organisers of the game.")
    events = EventToldAnswer(many=True, allow_null=True, help_text="For organisers of the game.")
