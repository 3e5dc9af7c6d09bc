"""The movement phase: who arrives, who is dislodged, and why."""
