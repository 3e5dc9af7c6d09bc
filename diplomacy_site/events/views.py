"""The address of the events on servers without them, such as `manage.py runserver`."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def no_events(_request: HttpRequest) -> HttpResponse:
    """No content: this tells the browser that there is no stream, without an error."""
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
