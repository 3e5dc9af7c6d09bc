"""Orders imposed on minor powers whatever was bid: how a wrong one is corrected afterwards."""

from adjudication.judge import adjudicate
from adjudication.orders import Bid, Hold, Move, OrderSheet, Support
from adjudication.resolution import OrderResult, Public
from tests.adjudication.minors import MINORS, WITH_MINORS

HELP = Support("TYR", "MUN", "BOH")
GERMAN = OrderSheet((Move("MUN", "BOH"),), (Bid(HELP, 2),))


def judged(sheet: OrderSheet, **imposed: Hold | Support) -> Public:
    return adjudicate(WITH_MINORS, {"GERMANY": sheet}, MINORS, imposed=imposed).public


def moved(public: Public) -> bool:
    return next(it.results for it in public.outcomes if it.order == GERMAN.orders[0]) == (OrderResult.SUCCEEDS,)


def test_an_imposed_order_takes_the_place_of_what_was_paid_for_and_of_that_alone() -> None:
    assert moved(judged(GERMAN))
    assert not moved(judged(GERMAN, TYR=Hold("TYR")))
    assert moved(judged(GERMAN, RUM=Hold("RUM"))), "another minor's order changes nothing here"


def test_an_imposed_order_needs_no_bid() -> None:
    alone = OrderSheet(GERMAN.orders)
    assert not moved(judged(alone))
    assert moved(judged(alone, TYR=HELP))


def test_what_is_imposed_is_judged_by_the_rules_like_any_other_order() -> None:
    far = Support("RUM", "MUN", "BOH")
    public = judged(GERMAN, RUM=far)
    assert next(it.results for it in public.outcomes if it.order == far) == (OrderResult.ILLEGAL,)
    assert moved(public)
