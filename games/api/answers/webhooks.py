"""Webhooks, as their user sees them."""

from __future__ import annotations

from games.api.answers.fields import Address, Answer, Flag, Moment, Number, Page, Text, many


class Delivery(Answer):
    """One attempt to post."""

    at = Moment("When it was made.")
    test = Flag("It was a test that you asked for.")
    status = Number("The status of the answer; null without an answer.", null=True)
    answer = Text("The beginning of the answer, or why there was none.")


class Webhook(Answer):
    """Where the news of a game is posted."""

    number = Number("Names it in addresses.")
    slug = Text("The game whose news is posted.")
    address = Address("Where it is posted.")
    form = Text("json (for a program) or chat (for Discord).")
    reminders = Flag("Reminders of deadlines are posted as well.")
    failures = Number("How many attempts in a row have failed.")
    stopped = Flag("Too many have failed. A test that arrives starts it again.")
    deliveries = many(Delivery, "The newest attempts first.")


class WebhookPage(Page):
    """Your webhooks, the oldest first."""

    results = many(Webhook, "The webhooks.")


class NewWebhook(Answer):
    """A webhook that was just added."""

    number = Number("Names it in addresses.")
    secret = Text("Signs the posts. It is not shown again.")
