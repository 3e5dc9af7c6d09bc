from django.db import migrations

HOLD = """
CREATE OR REPLACE FUNCTION kernel_seat_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed bigint := COALESCE(NEW.seat_id, OLD.seat_id);
BEGIN
    UPDATE kernel_seat SET held =
        EXISTS (SELECT FROM kernel_occupancy WHERE seat_id = changed AND until IS NULL AND NOT gives_way)%s
        WHERE id = changed;
    RETURN NULL;
END $$;
"""
KEPT = """
CREATE TRIGGER seating_seat_is_kept AFTER INSERT OR DELETE OR UPDATE OF seat_id ON seating_mailedinvitation
    FOR EACH ROW EXECUTE FUNCTION kernel_seat_hold();
UPDATE kernel_seat SET held = true WHERE id IN (SELECT seat_id FROM seating_mailedinvitation);
"""
NOT_KEPT = """
DROP TRIGGER seating_seat_is_kept ON seating_mailedinvitation;
UPDATE kernel_seat SET held =
    EXISTS (SELECT FROM kernel_occupancy WHERE seat_id = kernel_seat.id AND until IS NULL AND NOT gives_way)
    WHERE id IN (SELECT seat_id FROM seating_mailedinvitation);
"""


class Migration(migrations.Migration):
    dependencies = [("seating", "0004_unwanted_addresses"), ("kernel", "0015_seats_given_back")]

    operations = [
        migrations.RunSQL(
            HOLD % " OR EXISTS (SELECT FROM seating_mailedinvitation WHERE seat_id = changed)", HOLD % ""
        ),
        migrations.RunSQL(KEPT, NOT_KEPT),
    ]
