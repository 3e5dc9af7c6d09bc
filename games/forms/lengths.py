"""The lengths of time that forms offer, in seconds."""

MINUTE, HOUR, DAY = 60, 3_600, 86_400

LENGTHS = (
    (MINUTE, "1 minute"),
    (5 * MINUTE, "5 minutes"),
    (10 * MINUTE, "10 minutes"),
    (15 * MINUTE, "15 minutes"),
    (30 * MINUTE, "30 minutes"),
    (HOUR, "1 hour"),
    (12 * HOUR, "12 hours"),
    (DAY, "1 day"),
    (2 * DAY, "2 days"),
    (3 * DAY, "3 days"),
    (7 * DAY, "1 week"),
)
