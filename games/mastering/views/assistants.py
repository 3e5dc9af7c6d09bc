"""The game master's assistants: naming and removing them, answering, stepping down."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.kernel.access import access_gm
from games.kernel.page import page_of
from games.kernel.view_helpers import accepted, account, answered, deed, enter, form_page
from games.mastering.queries import assistance_asked, why_not_assist
from games.mastering.services import assistants
from games.mastering.views.desk import send


@deed("games:gm")
def name(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Ask somebody to be an assistant, or remove one."""
    username = request.POST.get("remove", "")
    if not username:
        return send(request, slug, "assistant")
    access = access_gm(user=request.user, slug=slug, alone=True)
    assistants.dismiss_assistant(game_id=access.game_id, by=access.user_id, username=username)
    return f"{username} is not your assistant any more."


@form_page
def assist(request: HttpRequest, slug: str) -> HttpResponse:
    """Become an assistant, or decline. Only for the person who is asked."""
    access = enter(request, slug)
    asked = assistance_asked(access)
    if request.method != "POST":
        context = {"view": page_of(access), "asked": asked, "why_not": why_not_assist(access)}
        return render(request, "mastering/assist.html", context)
    who = account(request)
    return answered(
        request,
        lambda accept: assistants.answer_assistance(game_id=access.game_id, user_id=who, accept=accept),
        "You’re an assistant now. This is the game master’s desk, with what you may do.",
        "games:gm",
        slug=slug,
    )


@deed("games:gm")
def step_down(request: HttpRequest, slug: str) -> HttpResponse:
    """Afterwards to the home page, because a game by invitation can no longer be seen."""
    access = access_gm(user=request.user, slug=slug)
    assistants.step_down(game_id=access.game_id, user_id=access.user_id)
    return accepted(request, f"You’re no longer an assistant in {access.game.name}.", "games:home")
