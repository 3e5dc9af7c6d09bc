"""The admin pages: for staff who have given a second factor, and who sign in on the same page as everyone."""

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from games.kernel.view_helpers import SeeOther
from games.people.views.second_factor import has_shown_second_factor, redirect_to_second_factor


class GuardedAdminSite(AdminSite):
    """The admin pages. They have no sign-in form, because that would bypass second factors and rate limits."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_shown_second_factor(request)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:  # noqa: ARG002
        """Redirect to the sign-in page, the second factor or the page asked for. Raises Http404 except for staff."""
        page = request.GET.get("next", "")
        is_safe = url_has_allowed_host_and_scheme(page, allowed_hosts=None)
        back = page if is_safe else reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(back)
        if not super().has_permission(request):
            raise Http404
        return SeeOther(back) if has_shown_second_factor(request) else redirect_to_second_factor(request, back)
