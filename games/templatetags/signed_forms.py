"""Forms that name the user whose page they are on, and the values of forms that were sent in vain."""

from typing import Any

from django import template
from django.template.base import Parser, Token
from django.template.defaulttags import CsrfTokenNode

from games.kernel.typed import kept_forms_of_page, sender_field

register = template.Library()


class SignedFormNode(CsrfTokenNode):
    """The library's CSRF token and, for signed-in users, the user whose page it is."""

    def render(self, context: Any) -> str:
        token, request = super().render(context), context.get("request")
        user = getattr(request, "user", None)
        if not token or user is None or not user.is_authenticated or user.is_guest:
            return token
        return token + sender_field(user.pk)


@register.tag
def csrf_token(_parser: Parser, _token: Token) -> SignedFormNode:
    """Replaces the library's tag with this name."""
    return SignedFormNode()


@register.inclusion_tag("partials/typed_again.html", takes_context=True)
def typed_again(context: Any) -> dict[str, Any]:
    """The values that were sent from this page and had no effect."""
    request = context.get("request")
    forms = kept_forms_of_page(request) if request else []
    return {"request": request, "csrf_token": context.get("csrf_token"), "typed": forms}
