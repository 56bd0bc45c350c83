from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ("events", "0006_plans_of_their_own"),
    ]

    operations = [
        migrations.RemoveField(model_name="round", name="plan"),
        migrations.AlterField(
            model_name="roundplan",
            name="round",
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="plan", serialize=False, to="events.round"),
        ),
    ]
