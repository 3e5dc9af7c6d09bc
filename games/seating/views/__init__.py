"""The pages about seats."""
