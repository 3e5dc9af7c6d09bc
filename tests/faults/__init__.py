"""Rounds of faults: the real site under heavy writing, while one part after another is killed, cut off or misled."""
