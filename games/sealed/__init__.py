"""What players save in secret. The import linter lists the few modules that may import it."""
