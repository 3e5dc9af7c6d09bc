#!/usr/bin/env python3
"""Did my orders count as I saved them? Checks a receipt against the published record of a game.

    python check_receipt.py receipt.txt record.json

Needs only Python 3.8 or newer, and makes no network connections. Read it: it is short on purpose.

When you save, the site gives you a receipt: your orders with a secret random salt. The SHA-256 of that text is its
code. At the deadline the site publishes the codes of all players' orders. Without the salt a code reveals nothing, and
no other orders have the same code, so the site can't change your orders afterwards without being found out.
"""

import hashlib
import json
import sys

BEGIN, END = "-----BEGIN SHEET-----", "-----END SHEET-----"
FACTS = 6  # lines before the orders: game, phase, turn, power, salt, saved
FILES = 2


def main(arguments):
    if len(arguments) != FILES:
        return say("Usage: python check_receipt.py receipt.txt record.json", 2)
    try:
        with open(arguments[0], encoding="utf-8") as file:
            sheet = sheet_in(file.read())
        with open(arguments[1], encoding="utf-8") as file:
            record = json.load(file)
        return check(sheet, record)
    except OSError as error:
        return say(f"Cannot open {error.filename}: {error.strerror}.", 2)
    except (ValueError, KeyError, TypeError) as error:
        return say(f"One of the files is not valid: {error}.", 2)


def sheet_in(receipt):
    """The lines between the two marks, joined as when the code was made."""
    lines = [line.rstrip() for line in receipt.splitlines()]
    if BEGIN not in lines or END not in lines:
        raise ValueError("the receipt has no line " + BEGIN)
    return "\n".join(lines[lines.index(BEGIN) + 1 : lines.index(END)])


def check(sheet, record):
    facts = dict(line.split(": ", 1) for line in sheet.splitlines()[:FACTS])
    own_code = digest(sheet)
    print(f"Receipt: {facts['power']} in phase {facts['phase']}, {facts['turn']}, of {facts['game']}.")
    print(f"Its code: {own_code}")
    if facts["game"] != record["game"]:
        return say(f"NOT CHECKED: the record is from another game, {record['game']}.", 2)
    broken = broken_records(record)
    if broken:
        return say("RECORD BROKEN: " + " ".join(broken), 1)
    same_phase = [
        phase
        for phase in record["phases"]
        if phase["record"] and str(phase["ordinal"]) == facts["phase"] and phase["turn"] == facts["turn"]
    ]
    if not same_phase:
        return say("NOT CHECKED: the record has nothing sealed for this phase. Has its deadline passed?", 2)
    fitting = [phase for phase in same_phase if phase["record"]["sheets"].get(facts["power"]) == own_code]
    counted = [phase for phase in fitting if not phase["undone"]]
    if counted:
        print("YES: these orders counted, unchanged.")
        return say(f"Compare the sealed record with the one in your email: {counted[-1]['record']['code']}", 0)
    if fitting:
        return say(
            "UNDONE: these orders counted, unchanged, in a phase that the game master has undone. "
            "The receipt for your last save is for the phase that replaced it. If the game's log says that your bids "
            "were corrected, the corrected ones counted there.",
            1,
        )
    return say(
        "NO: other orders counted. If you or a sitter saved again before the deadline, check the receipt for that last "
        "save. If this is that receipt, the site has not counted what you saved: tell the other players.",
        1,
    )


def broken_records(record):
    """What is wrong with the published codes themselves; each phase's code covers that of the previous one."""
    wrong, previous = [], ""
    for phase in record["phases"]:
        sealed = phase["record"]
        if not sealed:
            continue
        if sealed["previous"] != previous:
            wrong.append(f"The record of {phase['turn']} does not follow the previous one.")
        lines = [
            f"game: {record['game']}",
            f"phase: {phase['ordinal']}",
            f"turn: {phase['turn']}",
            f"previous: {sealed['previous'] or 'none'}",
        ]
        lines += [f"{power}: {code}" for power, code in sorted(sealed["sheets"].items())]
        if digest("\n".join(lines)) != sealed["code"]:
            wrong.append(f"The code of {phase['turn']} does not match the codes of its orders.")
        previous = sealed["code"]
    return wrong


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def say(sentence, status):
    print(sentence)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
