from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0010_notifications")]

    operations = [
        migrations.AddField(
            "event",
            "wide_version",
            models.BigIntegerField(
                default=0,
                db_default=0,
                help_text="The version of the newest change that was more than a few players' own.",
            ),
        ),
    ]
