"""How a game ends by agreement, and what is told after its end."""

from __future__ import annotations

from games.api.answers.fields import Answer, Flag, Moment, Number, Text, Texts, many, one
from games.api.answers.games import Power


class Ballot(Answer):
    """The vote of a power."""

    power = one(Power, "The power.")
    agrees = Flag("Yes or no; null if it hasn’t voted.", null=True)


class Proposal(Answer):
    """An open proposal to end the game. It stays open from phase to phase."""

    number = Number("Names it in addresses.")
    kind = Text("draw or concession.")
    title = Text("As in “A draw between Austria and Turkey”.")
    powers = many(Power, "Those who would share the draw or win.")
    proposer = one(Power, "The power that proposed it.")
    made = Moment("When it was proposed.")
    turn_title = Text("In which turn.")
    ballots = many(Ballot, "The votes so far; empty where votes are secret.")
    my_vote = Flag("Your own vote; null if you have none yet.", null=True)
    mine = Flag("You proposed it, and may withdraw it.")


class Agreement(Answer):
    """How a game under way may end by agreement."""

    secret = Flag("Votes are secret until all agree.")
    draws = Text("any, all (only all who are left) or none.")
    last_year = Number("The year after which the game ends in any case; null for none.", null=True)
    proposals = many(Proposal, "The open proposals.")
    left = many(Power, "The powers that may be named in a proposal.")
    voters = many(Power, "Those whose votes count.")
    silent = Texts("Why each of the others has no vote, in sentences.")
    i_vote = Flag("You may vote now.")
    why_not_propose = Text("Why you may not propose anything now; empty if you may.")
    enough = Flag("Fewer than half of the remaining powers are vacant.")


class Asked(Answer):
    """A request of the game master to agree to something."""

    number = Number("Names it in addresses.")
    is_about_terms = Flag("True for new terms, false for an earlier deadline.")
    told = Text("What would change, in words.")
    until = Moment("Answers count before this moment.")
    agreed = Number("How many players have agreed.")
    wanted = Number("How many must agree.")
    i_agreed = Flag("You have agreed.")
    may_answer = Flag("You may agree or refuse now.")
    may_withdraw = Flag("You asked for it, and may withdraw it.")


class Requests(Answer):
    """The open requests of a game for you."""

    requests = many(Asked, "The oldest first; empty for everyone who is not asked.")


class Counted(Answer):
    """The effect of a vote."""

    ended = Flag("The game has ended with it.")


class Score(Answer):
    """A power at the end, in two usual systems of 100 points."""

    power = one(Power, "The power.")
    centres = Number("Its centres at the end.")
    draw_size = Text("Its points by the size of the draw, as in “33.3”.")
    squares = Text("Its points by the squares of centres.")


class Statement(Answer):
    """A player’s statement after the end."""

    power = one(Power, "The power.")
    player = Text("The player; empty if players stay anonymous.")
    written = Moment("When it was written.")
    text = Text("What it says.")
    muted = Flag("You have muted the power.")


class Farewell(Answer):
    """What is added to a game that is over."""

    winners = many(Power, "The winners.")
    scores = many(Score, "Every power’s score.")
    statements = many(Statement, "What players say about the game.")
    may_state = Flag("You may write a statement.")
    my_statement = Text("Yours; empty without one.")
