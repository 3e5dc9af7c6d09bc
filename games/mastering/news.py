"""News of a game master's actions."""

from functools import partial

from django.utils.translation import gettext as _

from adjudication.reasons import Edit
from adjudication.serialisation import position_from_json
from games.deadlines.news import UNTIL_IN_WORDS
from games.history.results import name_in_sentence, words_of_amendment
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Amendment, Event, Game, rights_words
from games.kernel.news import Text, Topic, declares_news_of
from games.kernel.page import Page
from games.kernel.rules import allowed
from games.kernel.wording import deadline_words
from games.mastering import rules
from games.mastering.editing import edit_words
from games.news.log import newest_line
from games.seating.rules.seats import name_of_lost_power
from variants.words.english import listed
from variants.words.orders import phase_words

_news = declares_news_of(__file__)

DEADLINE_SET = _news("DEADLINE_SET", words=UNTIL_IN_WORDS)
SECEDED = _news("SECEDED")
PREVIEWED = _news("PREVIEWED")


ORDERS_KEPT = later("Check your orders: those that are still possible have been kept.")
ORDERS_DELETED = later("If you had saved anything for this phase, it has been deleted: enter your orders again.")


def _correction_text(view: Page, time_zone: str, orders: str = ORDERS_KEPT) -> Text:
    """What was just corrected, in the words of the public log, and what it means for the reader."""
    assert view.head is not None, "an email about a phase shows that phase"
    lost_power = name_of_lost_power(view.rows)
    way_back = (
        [
            _(
                "You had lost your seat as {power} because you missed too many phases. Open the game to take it back."
            ).format(power=lost_power)
        ]
        if lost_power
        else []
    )
    phase = phase_words(view.head)
    return _("the game master has made a correction: now {phase}").format(phase=phase), [
        newest_line(view, Topic.REPAIR),
        _("The game is now in {phase}. {deadline}").format(
            phase=phase, deadline=deadline_words(view.head.deadline, time_zone)
        ),
        *([orders] if view.my_power else []),
        *way_back,
    ]


def _names_of_powers(event: Event, game: Game) -> str:
    variant = codec.variant_of(game)
    return listed([name_in_sentence(power, variant) for power in event.facts["of"].split()])


def _line_of_corrected_sheet(event: Event, _game: Game) -> str:
    if event.facts.get("what"):  # told by version 0.2.0
        return SHEET_CORRECTED.line
    return (
        _(
            "{who} corrected the orders and bids of {whose} for {turn}: {sentence} The phase was adjudicated again. "
            "{board}"
        )
        if event.facts["bids"]
        else _("{who} corrected the orders of {whose} for {turn}: {sentence} The phase was adjudicated again. {board}")
    )


def _order_words(event: Event, game: Game) -> str:
    """The changes of an event's `orders`: for each, the published order, its replacement and the power, as in
    `Amendment`. Older lines name one power for all."""
    variant, position = codec.variant_of(game), position_from_json(event.facts["position"])
    rows = (
        Amendment(power=(*power, event.facts["of"])[0], was=was, instead=instead)
        for was, instead, *power in event.facts["orders"]
    )
    return " ".join(words_of_amendment(row, position, variant) for row in rows) or _("No order changes.")


def _edit_sentences(event: Event, game: Game) -> str:
    return " ".join(edit_words(Edit(*edit), codec.variant_of(game)) for edit in event.facts["edits"])


def _board_words(event: Event, game: Game) -> str:
    """What the correction changed in the next position; "" in lines from before this was recorded."""
    if "edits" not in event.facts:
        return ""
    return (
        _("On the board: {edits}").format(edits=_edit_sentences(event, game))
        if event.facts["edits"]
        else _("The position stays the same.")
    )


_deleted_text = partial(_correction_text, orders=ORDERS_DELETED)

ROLLED_BACK = _news("ROLLED_BACK", text=_correction_text)
ORDER_CORRECTED = _news("ORDER_CORRECTED", words={"sentence": _order_words, "board": _board_words}, text=_deleted_text)
SHEET_CORRECTED = _news(
    "SHEET_CORRECTED",
    line_of=_line_of_corrected_sheet,
    words={"whose": _names_of_powers, "sentence": _order_words, "board": _board_words},
    text=_deleted_text,
)
POSITION_EDITED = _news("POSITION_EDITED", words={"sentence": _edit_sentences}, text=_correction_text)

HANDED_OVER = _news("HANDED_OVER")
MASTER_NAMED = _news("MASTER_NAMED")


def _text_of_handover_request(view: Page, _time_zone: str) -> Text:
    if not allowed(rules.may_answer_handover, view.rows):
        return _("you were asked to be the game master"), [
            _("You were asked to take over as game master. The request is no longer open.")
        ]
    return _("would you like to be the game master?"), [
        _("This game (variant: {variant}) needs a new game master, and you have been asked.").format(
            variant=view.variant_title
        ),
        _("Open the game to answer."),
    ]


MASTER_ASKED = _news("MASTER_ASKED", text=_text_of_handover_request)
MASTER_ACCEPTED = _news("MASTER_ACCEPTED")
MASTER_DECLINED = _news("MASTER_DECLINED")


def _text_of_assistance_request(view: Page, _time_zone: str) -> Text:
    if not allowed(rules.may_decline_to_assist, view.rows):
        return _("you were asked to help the game master"), [
            _("You were asked to be an assistant of the game master. The request is no longer open.")
        ]
    return _("would you like to help the game master?"), [
        _("{gm}, who runs this game (variant: {variant}), asks you to be an assistant.").format(
            gm=view.gm_name, variant=view.variant_title
        ),
        _("Open the game to see what you could do, and to answer."),
    ]


ASSISTANT_ASKED = _news("ASSISTANT_ASKED", text=_text_of_assistance_request)
ASSISTANT_NAMED = _news("ASSISTANT_NAMED", words={"rights": lambda event, _game: rights_words(event.facts["may"])})
ASSISTANT_DECLINED = _news("ASSISTANT_DECLINED")
ASSISTANT_DISMISSED = _news("ASSISTANT_DISMISSED")
ASSISTANT_LEFT = _news("ASSISTANT_LEFT")
