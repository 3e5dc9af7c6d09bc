"""The rules of tournaments: pure functions of frozen values, which know no database and no page."""
