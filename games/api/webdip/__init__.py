"""The form in which programs spoke to webDiplomacy until September 2026, for games on the standard board."""
