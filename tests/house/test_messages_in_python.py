"""What people read is a whole message: the check finds what is not."""

import pytest

from tests.house.messages_in_python import found_in

WHOLE = [
    "def told():\n    return _('{power} has left.').format(power=seat.power)",
    "LABEL = later('Time zone')",
    "raise ValueError('No such kind of news.')",
    "log.warning('Email %s could not be sent.', row)",
    "class Mail(TextChoices):\n    AT_ONCE = 'at once', later('Straight away')",
    "assert mine, 'an email with a result has one'",
    "def told():\n    '''What a player is told.'''",
    "QUERY = 'SELECT count(*) FROM seats'",
    "def __str__(self):\n    return f'{self.user} as {self.seat}'",
    "PHASE = later_as('a kind of phase', 'placing units')",
    "name = serializers.CharField(help_text='A part of the name.')",
    "said = done_answer('stepped down')",
    "answer['Cache-Control'] = 'private, no-store'",
    "DAYS = later_by('{count} day', '{count} days', 'count')",
    "line = f'IF {province} DISLODGED'",
    "recall(REQUEST_MADE, game, about=f'by {user_id}')",
]
IN_PARTS = {
    "raise WrongMoment('The game is over.')": "is no message",
    "said = f'{power} has left.'": "is no message",
    "said = _('{power} has left') + '.'": "is a part of a longer text",
    "said = f'{_(\"Your seat\")}: {power}'": "is a part of a longer text",
    "said = _(' You have no orders.')": "begins or ends with a space",
    "said = _('You have {count}.').format(count=amount(seats, 'seat'))": "has words that are made in count",
    "said = _('{who} {have}.').format(who=who, have='has' if one else 'have')": "has words that are chosen in have",
}


@pytest.mark.parametrize("source", WHOLE)
def test_whole_messages_and_words_for_developers_pass(source: str) -> None:
    assert not [*found_in("module.py", source)]


@pytest.mark.parametrize("source", IN_PARTS)
def test_words_that_are_no_whole_message_are_found(source: str) -> None:
    assert [it.why for it in found_in("module.py", source)] == [IN_PARTS[source]]
