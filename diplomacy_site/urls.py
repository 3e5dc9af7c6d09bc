"""The addresses of the site; those of the games come last because they begin at the root."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from diplomacy_site.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("accounts/", include("allauth.urls")),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/", include("games.api.urls")),
    path("", include("games.urls")),
]
