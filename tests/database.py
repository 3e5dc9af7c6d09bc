"""The database of the tests, as other processes see it."""

from urllib.parse import quote

from django.db import connection


def database_address() -> str:
    """The database of this test, for another process."""
    facts = {
        key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if key.isupper()
    }
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    password = f":{facts['PASSWORD']}" if facts["PASSWORD"] else ""
    return f"postgresql://{facts['USER']}{password}@{facts['HOST']}{port}/{facts['NAME']}"
