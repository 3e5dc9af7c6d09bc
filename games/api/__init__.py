"""The same views as the pages, as JSON."""
