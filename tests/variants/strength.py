"""The table of how strong the bots are, on every variant: `variants/bots/STRENGTH.md`.

python -m tests.variants.strength --kept games.jsonl --games 70 --processes 2 > variants/bots/STRENGTH.md
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from variants.commands.arena import ArenaGame, Match, mean_share, play_match, stored_games
from variants.rulebook import facts_in
from variants.rulebooks import OFFERED, RULEBOOKS
from variants.words.english import amount

COLUMNS = (
    ("strong:10", "easy"),
    ("strong", "strong:10"),
    ("strong", "medium"),
    ("medium", "easy"),
    ("strong", "easy"),
    ("strong:10", "random"),
    ("easy", "strong:10"),
)
"""The one seat, and all others."""
TIMED = 2
NONE = "–"
HEAD = """# How strong the bots are

One seat is played by one kind of bot and all others by another, for ten years. A cell shows the mean share of the one
seat: its supply centres squared, over the sum of all powers' squares, or 1 for a victory alone. After it come the
standard error and the number of games. Every power is played equally often. *Parity* is what a seat gets among its
like. `strong:10` is a strong bot with a tenth of its positions, which makes it a *medium* one in all but name; *random*
gives any lawful orders. The last two columns are the processor time of a movement phase in the first two kinds of
match, in milliseconds: the median and the worst.

A tenth was 4,000 positions in version 0.2.0 and is 2,800 now, or 2,100 above 34 units. That, and not its play, is why
1926 shows less among easy bots than the 0.931 of then: with 4,000 positions it has 0.924 ± 0.027 in 70 games.

The table is made by

```
python -m tests.variants.strength --kept games.jsonl --games 70 --processes 2 > variants/bots/STRENGTH.md
```

which plays the games that the file `games.jsonl` doesn't hold yet. All opponents are the project's own bots.
"""


def table(kept: Path, games: int, processes: int) -> Iterator[str]:
    """The lines of the page. At least so many games are played for each cell; those with more in the file show all of
    them, and those with none a dash."""
    yield HEAD
    titles = [f"{one} among {others}" for one, others in COLUMNS]
    timed = [f"{one}, ms" for one, _ in COLUMNS[:TIMED]]
    yield "| variant | parity | " + " | ".join((*titles, *timed)) + " |"
    yield "|---" * (len(titles) + len(timed) + 2) + "|"
    for folder in OFFERED:
        slug = facts_in(folder)["slug"]
        yield _row(slug, kept, games, processes)


def _row(slug: str, kept: Path, games: int, processes: int) -> str:
    book = RULEBOOKS[slug]()
    cells = [_played(Match(slug, one, others), kept, games, processes) for one, others in COLUMNS]
    shown = " | ".join(_cell(found) for found in cells)
    taken = " | ".join(_taken(found) for found in cells[:TIMED])
    return f"| {book.title} | {1 / len(book.ruleset.powers):.3f} | {shown} | {taken} |"


def _taken(played: Sequence[ArenaGame]) -> str:
    """The median and the worst time of a movement phase."""
    times = sorted(time for one in played for time in one.milliseconds)
    return f"{median(times):.0f}, {times[-1]}" if times else NONE


def _played(match: Match, kept: Path, games: int, processes: int) -> list[ArenaGame]:
    known = max((one.number + 1 for one in stored_games(match, kept)), default=0)
    return play_match(match, max(games, known), processes=processes, path=kept)


def _cell(games: Sequence[ArenaGame]) -> str:
    if not games:
        return NONE
    return f"{mean_share(games)} ({amount(len(games), 'game')})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.variants.strength", description="Write the table, in Markdown.")
    parser.add_argument("--kept", type=Path, required=True, help="the file that keeps the games")
    parser.add_argument("--games", type=int, default=0, help="play at least so many games for each cell (0)")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args(arguments)
    sys.stdout.writelines(f"{line}\n" for line in table(asked.kept, asked.games, asked.processes))


if __name__ == "__main__":
    main()
