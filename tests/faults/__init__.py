"""Rounds of faults: the real site, hammered by writers, while one part after another is killed, cut off or misled."""
