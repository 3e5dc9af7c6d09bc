"""The pages of seats."""
