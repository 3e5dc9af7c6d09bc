"""The tutorial, the variants and their rules."""
