"""What players save in secret; the import linter names the few modules that may import it."""
