"""What players write: private and public talk, notes, the gallery."""
