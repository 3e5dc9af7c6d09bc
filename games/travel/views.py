"""Files of a game to take along, and adding a game that was played elsewhere."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.kernel import view_helpers as web
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.limits import rate_limited, refusal_if_too_often
from games.travel.forms import FileForm
from games.travel.queries import game_file
from games.travel.services import BadFile, add_game, preview_file, unpack
from variants.travel import FORMS

EXPORTS = "30/min"
CHECKS, TOO_MANY_CHECKS = "40/h", later("You’ve sent {most} files within an hour.")
POSITIONS, TOO_MANY_POSITIONS = "120/h", later("You’ve sent {most} positions within an hour.")
GAMES, TOO_MANY_GAMES = "10/h", later("You’ve added {most} games within an hour.")
TYPES = {"json": "application/json", "jsonl": "application/jsonl"}
TEXT = "text/plain; charset=utf-8"


@rate_limited("exports", EXPORTS)
@web.own_page
def export(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """The game as a file in one of its forms; with ?phase= a report of that phase only."""
    access = web.access_for_visitor(request, slug)
    phase = request.GET.get("phase", "")
    ordinal = parse_whole_number(phase)
    if phase and ordinal is None:
        raise Http404
    first = request.build_absolute_uri(reverse("games:picture", kwargs={"slug": slug, "ordinal": 0}))
    content = game_file(access, form, first.replace("/phases/0/", "/phases/{ordinal}/"), ordinal)
    suffix = FORMS[form].suffix
    name = f"{slug}{f'-{ordinal}' if phase else ''}-{form}.{suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=TYPES.get(suffix, TEXT), headers=headers)


@web.form_page
def add(request: HttpRequest) -> HttpResponse:
    """Send a file, look at what we read in it, and add the game to the archive."""
    if request.method == "POST" and "kept" in request.POST:
        return _add_to_archive(request)
    is_sent = request.method == "POST"
    form, game = FileForm(request.POST, request.FILES) if is_sent else FileForm(), None
    if is_sent and form.is_valid():
        if too_often := refusal_if_too_often(request, "checking-files", CHECKS, TOO_MANY_CHECKS):
            form.add_error(None, too_often.sentence)
        else:
            try:
                game = preview_file(form.cleaned_data["text"], form.cleaned_data["name"])
            except BadFile as refusal:
                form.add_error(None, refusal.sentence)
    return render(request, "travel/add.html", {"form": form, "found": game}, status=web.status_of(form))


def _add_to_archive(request: HttpRequest) -> HttpResponse:
    """Add the file from the page that showed its content. It is read again like any other."""
    form = FileForm()
    try:
        if too_often := refusal_if_too_often(request, "adding-games", GAMES, TOO_MANY_GAMES):
            raise BadFile(too_often.sentence)
        text, name = unpack(request.POST["kept"]), request.POST.get("name", "")
        slug = add_game(by=web.signed_in_id(request), text=text, name=name)
    except BadFile as refusal:
        context = {"form": form, "refused": refusal.sentence}
        return render(request, "travel/add.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return web.redirect_with_success(request, _("The game is in the archive."), "games:game", slug=slug)
