from django.db import migrations

FORWARD = """
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The log is append-only.' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER log_is_append_only BEFORE UPDATE OR DELETE ON events_logentry
    FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
"""
BACKWARD = """
DROP TRIGGER log_is_append_only ON events_logentry;
DROP FUNCTION refuse_log_change();
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
