"""The settings of the tests, with static files as a public site serves them: compressed, and named by their content."""

import os
from pathlib import Path

from diplomacy_site.settings.test import *  # noqa: F403 - the test settings and more

STATIC_ROOT = Path(os.environ["PACKED_STATIC"])
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = False
WHITENOISE_AUTOREFRESH = False
