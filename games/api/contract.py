"""What the API answers, by name: a field added to a page gives nothing away here until it is listed here too."""

from games.deadlines import parts as deadlines
from games.deadlines.timetable import Holiday, Slot, Week
from games.endings import parts as endings
from games.history import parts as history
from games.kernel import parts as kernel
from games.mastering import parts as mastering
from games.orders import parts as orders
from games.pages import parts as pages
from games.press import parts as press
from games.seating import parts as seating
from variants import drawing

GIVEN: dict[type, str] = {
    Holiday: "first last name",
    Slot: "weekday hour minute",
    Week: "zone movement retreat adjustment days_off holidays",
    deadlines.ComingView: "code title kind_title at",
    endings.AgreementView: "secret draws last_year proposals left voters silent i_vote why_not_propose enough",
    endings.BallotView: "power agrees",
    endings.Counted: "ended",
    endings.FarewellView: "winners scores statements may_state my_statement",
    endings.ProposalView: "number kind title powers proposer made turn_title ballots my_vote mine",
    endings.ScoreView: "power centres draw_size squares",
    endings.StatementView: "power player written text",
    history.Drawing: "owners units dislodged arrows holders title contested homes",
    history.FactionView: "letter adjective form",
    history.NoticeView: "kind power province sentence",
    history.OutcomeView: "power power_name text order results succeeded sentence",
    history.PowerPosition: "power name letter colour units centres homes",
    history.PowerView: "id name adjective letter colour player seated person bot disordered units "
    "centres mine ready missed",
    history.RelationCell: "other other_name stance symbol",
    history.RelationRow: "power name letter colour cells",
    history.RelationsView: "stances powers rows mine",
    history.ResultView: "head outcomes notices missed relations verdict amendments sealed_record",
    history.StanceLine: "stance symbol names",
    history.StanceView: "stance symbol",
    kernel.EventView: "at kind sentence",
    kernel.LogView: "events first",
    kernel.GameCard: (
        "slug name variant variant_title status status_sentence verdict winners gm_name players taken bots ordinal "
        "turn_title kind_title deadline remaining_seconds everybody_is_ready by_invitation elsewhere my_power i_joined "
        "i_sit i_am_gm roll_call_until options created repairs unread"
    ),
    kernel.GameOptionsView: "terms",
    kernel.PhaseHead: "ordinal code title year short kind kind_title is_open opened closed deadline remaining_seconds",
    kernel.PowerCard: "id name colour letter",
    kernel.Term: "group title sentence",
    kernel.VariantCard: "slug title players summary rules_text credits powers bids press_title",
    mastering.GmPowers: "may seats phases requests invitation",
    orders.BidView: "minor points order canonical",
    orders.OrderChoice: "value label chosen",
    orders.MinorChoice: "location label choices",
    orders.OrderRow: "location label choices chosen",
    orders.PowerBids: "power power_name bids",
    orders.ProblemView: "line text sentence",
    orders.Receipt: (
        "ordinal turn_title kind kind_title text orders bids budget spent saved complete missing code at file"
    ),
    orders.ReceiptMark: "code at",
    orders.SheetView: (
        "ordinal mark power kind text problems rows bids minors budget spent adjustment adjustments factions saved "
        "complete missing ready nothing_to_decide arrows placed homes muster idle idle_because outdated receipt"
    ),
    pages.GameList: "next previous results",
    pages.Lobby: "mine open running finished next",
    pages.PhaseView: (
        "game version head coming phases drawing powers position_lines relations factions notices result final "
        "events my_power bot_plays_for_me can_write can_say_ready order_sheet own_sheet opened_bids gm joining "
        "seats_to_take names_are_hidden unread agreement farewell market"
    ),
    press.MessageView: "author author_name mine phase opens_phase sent text place muted",
    press.TalkView: "game version powers my_power threads shown others unread",
    press.ThreadHead: "address title public powers unread last",
    press.ThreadView: "head messages first last total voices silence unheard joined",
    seating.JoiningView: "may_join why_not may_ask asked joined may_leave wishes others roll_call",
    seating.MarketView: "vacant bots offered way_back may_resign asked_to_sit sits_for asked_to_master",
    seating.RollCallView: "deadline confirmed wanted must_confirm",
    seating.RequestView: "name reliability asked",
    seating.SittingView: "number slug game player sitter begins ends talks accepted has_begun may_say_yes may_end",
    drawing.Arrow: "kind unit target aux ok title points",
    drawing.CentreMark: "centre letter form title",
    drawing.UnitMark: "kind location colour letter title faction form idle placed",
}
"""The options of a game are added, because each is declared as something that everyone can see."""
