"""Who may join a new game."""

from __future__ import annotations

from typing import Any

from games.forms.groups import Choice, Group, OneOf

OPEN, INVITATION = "open", "invitation"


class JoiningGroup(Group):
    title = "Joining"
    template = "games/create/joining.html"

    entrance = OneOf(
        "Who may join",
        (
            Choice(OPEN, "Everybody", "The game stands in the lobby; anybody may watch it and take a seat."),
            Choice(
                INVITATION, "By invitation link", "Only people with the link see the game and may join it."
            ),
        ),
    )

    def options(self) -> dict[str, Any]:
        return {"by_invitation": self.cleaned_data["entrance"] == INVITATION}
