"""The addresses of the site; those of the games come last because they begin at the root."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.generic import TemplateView

from diplomacy_site.accounts import views as accounts
from diplomacy_site.events.stream import PATH, no_events_here
from diplomacy_site.health import healthz, readyz
from diplomacy_site.metrics import metrics
from diplomacy_site.status import status
from diplomacy_site.styleguide import styleguide
from games.api.webdip.views import WebdipApi

# Search engines may read what is public, and need not ask for what they would not get. Where the admin pages are is not
# said there.
ROBOTS = {
    "template_name": "robots.txt",
    "content_type": "text/plain; charset=utf-8",
    "http_method_names": ["get", "head"],
}
robots = cache_control(public=True, max_age=24 * 3600)(TemplateView.as_view(**ROBOTS))

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("robots.txt", robots, name="robots"),
    path("status/", status, name="status"),
    path("styleguide/", styleguide, name="styleguide"),
    path(PATH.lstrip("/"), no_events_here, name="events"),
    path("accounts/export/", accounts.download_account, name="account-export"),
    path("accounts/elsewhere/", accounts.sign_out_elsewhere, name="account-elsewhere"),
    path("accounts/name/", accounts.change_username, name="account-name"),
    path("accounts/delete/", accounts.delete_own_account, name="account-delete"),
    path("accounts/confirm-email/<str:key>/", accounts.confirm_address, name="account_confirm_email"),
    path("accounts/", include("allauth.urls")),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("api/webdiplomacy/api.php", WebdipApi.as_view(), name="webdiplomacy"),
    path("api/", include("games.api.urls")),
    path("", include("games.urls")),
]

handler500 = "diplomacy_site.server_errors.server_error"
