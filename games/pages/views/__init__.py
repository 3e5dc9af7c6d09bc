"""The pages that many subjects fill."""
