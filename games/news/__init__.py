"""What is told to whom: the log in words, letters, notices, push, feeds, webhooks."""
