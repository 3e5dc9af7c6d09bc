"""Settings by place: local (./run), test, production; base is what they share."""
