"""The admin pages: for staff who have shown a second factor, who sign in where everybody does."""

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from games.kernel.view_helpers import SeeOther
from games.people.views.second_factor import second_factor_given, to_second_factor


class GuardedAdminSite(AdminSite):
    """No form of its own takes passwords: it would know neither second factors nor limits."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor_given(request)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:  # noqa: ARG002
        """To the sign-in, to the second factor, or to where the visitor was going. Http404 for others."""
        wanted = request.GET.get("next", "")
        safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
        back = wanted if safe else reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(back)
        if not super().has_permission(request):
            raise Http404
        return SeeOther(back) if second_factor_given(request) else to_second_factor(request, back)
