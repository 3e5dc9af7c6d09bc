"""The addresses of all pages, collected from the subjects."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter


class Name(StringConverter):
    """A path part to look up in the database, which refuses the NUL character."""

    regex = r"[^/\0]+"


register_converter(Name, "name")

app_name = "games"

SUBJECTS = (
    "pages",
    "people",
    "learning",
    "practice",
    "travel",
    "seating",
    "deadlines",
    "delivery",
    "history",
    "orders",
    "press",
    "endings",
    "consent",
    "mastering",
    "tournaments",
)
"""In this order: an address of the GM desk that nothing else answers names an action."""

urlpatterns = [path("", include(f"games.{subject}.urls")) for subject in SUBJECTS]
