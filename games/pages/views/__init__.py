"""The pages that several subjects contribute to."""
