"""Rounds of faults: the real site, hammered by writers, while one part after the other is killed, cut off or misled."""
