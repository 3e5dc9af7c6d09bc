"""What players write in secret; the import linter names the few modules that may enter."""
