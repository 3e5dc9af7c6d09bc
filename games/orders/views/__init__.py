"""The order page and the pages around it."""
