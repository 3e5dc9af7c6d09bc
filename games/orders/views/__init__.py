"""The pages of the order sheet."""
