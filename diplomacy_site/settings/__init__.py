"""Settings by environment: local (./run), test, production; base has what they share."""
