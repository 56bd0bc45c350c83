from django.contrib.postgres.operations import BtreeGistExtension, TrigramExtension, UnaccentExtension
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = []
    operations = [BtreeGistExtension(), TrigramExtension(), UnaccentExtension()]
