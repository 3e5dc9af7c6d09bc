"""The people who have an account."""
