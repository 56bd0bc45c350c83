from django.db import migrations, models
import django.db.models.deletion

COLUMNS = ("id", "points", "byes", "paired_down", "paired_up")


def move_plans(apps, schema_editor):
    plans = apps.get_model("events", "RoundPlan")
    for round_ in apps.get_model("events", "Round").objects.only("plan").iterator():
        content = round_.plan or {"kind": "swiss", "groups": []}
        groups = content.get("groups", [])
        history = [group.pop("history") for group in groups]
        for group in groups:
            group["entrants"] = {name: [entrant[name] for entrant in group["entrants"]] for name in COLUMNS}
        plans.objects.create(round=round_, content=content, history=history)


def move_back(apps, schema_editor):
    for plan in apps.get_model("events", "RoundPlan").objects.select_related("round").iterator():
        content = plan.content
        for group, history in zip(content.get("groups", []), plan.history):
            group["history"] = history
            columns = group["entrants"]
            group["entrants"] = [dict(zip(columns, row)) for row in zip(*columns.values())]
        plan.round.plan = content
        plan.round.save(update_fields=["plan"])


class Migration(migrations.Migration):

    dependencies = [
        ("events", "0005_rules_of_running_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoundPlan",
            fields=[
                ("round", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="+", serialize=False, to="events.round")),
                ("content", models.JSONField()),
                ("history", models.JSONField(default=list)),
            ],
        ),
        migrations.RunPython(move_plans, move_back),
    ]
