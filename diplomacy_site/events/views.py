"""The address of the events where pages are served without them, as by `manage.py runserver`."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def no_events(_request: HttpRequest) -> HttpResponse:
    """No content: for a browser that is the word for "there is no stream", and no mistake."""
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
