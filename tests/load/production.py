"""The site as compose files start it, with its collected static files in a throw-away folder."""

from pathlib import Path

from diplomacy_site import env
from diplomacy_site.settings.production import *  # noqa: F403 - production as it is, elsewhere

STATIC_ROOT = Path(env.text("LOAD_FOLDER")) / "static_root"
PICTURES_FOLDER = Path(env.text("LOAD_FOLDER")) / "pictures"
