"""The addresses of the pages, put together from the subjects."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter


class Name(StringConverter):
    """What is looked for in the database, which refuses the sign zero."""

    regex = r"[^/\0]+"


register_converter(Name, "name")

app_name = "games"

SUBJECTS = (
    "pages",
    "people",
    "learning",
    "seating",
    "deadlines",
    "news",
    "history",
    "orders",
    "press",
    "endings",
    "mastering",
)
"""In this sequence: an address of the game master's desk that nobody else answers names an act."""

urlpatterns = [path("", include(f"games.{subject}.urls")) for subject in SUBJECTS]
