"""Server-sent events: browsers that keep a page of a game open hear that it has changed."""
