"""The movement phase: which units arrive, which are dislodged, and why."""
