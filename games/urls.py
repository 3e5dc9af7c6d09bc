"""The addresses of all pages, collected from the subjects."""

from django.urls import include, path

import games.kernel.addresses  # noqa: F401 - what their parts are called

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
