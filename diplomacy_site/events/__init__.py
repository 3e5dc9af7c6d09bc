"""Server-sent events: browsers with an open page of a game learn that it has changed."""
