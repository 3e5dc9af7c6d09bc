"""The forms of moderators, profiles and API tokens."""

from django import forms
from django.contrib.auth import get_user_model
from django.http import QueryDict
from django.utils.translation import gettext as _

from games.kernel.days import DAY
from games.kernel.fields import OneOf, Radio
from games.kernel.forms import FreeText
from games.kernel.languages import later, later_as
from games.kernel.news import LONGEST_REASON
from games.kernel.wording import duration_in_words_later
from games.kernel.zones import read_zone, zone_suggestions
from games.people.models import LONGEST_PURPOSE, LONGEST_TOKEN_NAME, Scope, TokenKind
from games.people.newcomers import ACCOUNTS_ON_A_PAGE
from games.people.tokens import LIFETIMES

LENGTH_OF_DURATION = 40
SUSPENSIONS = (
    *((str(days), duration_in_words_later(days * DAY)) for days in (1, 7, 30)),
    ("", later("until a moderator ends it")),
)


class ReasonForm(forms.Form):
    """The reason, which stays in the moderators' log for good."""

    reason = FreeText(
        label=later("Reason"),
        max_length=LONGEST_REASON - LENGTH_OF_DURATION,
        error_messages={"required": later("Give a reason: it is recorded in the log.")},
    )


class SuspendForm(ReasonForm):
    days = forms.ChoiceField(label=later("How long"), choices=SUSPENSIONS, required=False, initial="7")


class StopGameForm(ReasonForm):
    game = forms.SlugField(
        label=later("Game"),
        help_text=later("The last part of the game’s address, such as locarno-1a2b3c4d."),
        error_messages={
            "required": later("Enter a game."),
            "invalid": later("Copy the last part of the game’s address, such as locarno-1a2b3c4d."),
        },
    )


class AccountsForm(ReasonForm):
    """The action on the chosen accounts. Approving needs no reason."""

    act = forms.ChoiceField(
        choices=(
            ("approve", later_as("accounts", "Approve")),
            ("suspend", later_as("accounts", "Suspend")),
            ("delete", later_as("accounts", "Delete")),
        ),
        error_messages={"required": later("Choose what to do with these accounts.")},
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="chosen-%s")
        names = data.getlist("accounts")[:ACCOUNTS_ON_A_PAGE]
        self.fields["accounts"] = forms.MultipleChoiceField(
            label=_("Accounts"),
            choices=[(name, name) for name in names],
            error_messages={"required": _("Choose at least one account in the list.")},
        )
        self.fields["reason"].required = data.get("act") != "approve"


class SignUpLinkForm(forms.Form):
    purpose = FreeText(
        label=later("Who is it for?"),
        max_length=LONGEST_PURPOSE,
        help_text=later("Only moderators read this, such as “The Thursday club”."),
        error_messages={"required": later("Write who the link is for, so that other moderators know.")},
    )


class FindAccountForm(forms.Form):
    name = forms.CharField(label=later("Account name"), max_length=150)


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """The time zone in which a user reads deadlines."""

    class Meta:
        model = get_user_model()
        fields = ("time_zone",)
        labels = {"time_zone": later("Time zone")}  # noqa: RUF012
        help_texts = {"time_zone": later("Used for your deadlines. Enter a name such as Europe/London.")}  # noqa: RUF012

    zones = zone_suggestions()

    def clean_time_zone(self) -> str:
        return read_zone(self.cleaned_data["time_zone"])


APP_HELP = later("You decide what it does. It acts in your name, like your browser, and no one is told.")
BOT_HELP = later(
    "It plays by itself. It acts only in seats that everyone sees labelled as a bot’s, in games whose terms allow "
    "players’ own bots, and in your practice games."
)


class TokenForm(forms.Form):
    name = FreeText(
        label=later_as("of a token", "Name"),
        max_length=LONGEST_TOKEN_NAME,
        help_text=later("What the token is for, such as “My map on the phone”."),
    )
    kind = OneOf(
        later("What will use it?"),
        (
            Radio(TokenKind.APP.value, TokenKind.APP.label, APP_HELP),
            Radio(TokenKind.BOT.value, TokenKind.BOT.label, BOT_HELP),
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=later("As well as reading what you can read, it can"),
        choices=Scope.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(label=later("Expires after"), choices=list(LIFETIMES.items()), coerce=int, initial=90)
