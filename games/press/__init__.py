"""What players write: private and public messages, notes, the gallery."""
