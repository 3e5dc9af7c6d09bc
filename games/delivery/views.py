"""Notifications, notification settings, and unsubscribing from an email."""

import json
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from games.delivery import choosing, push
from games.delivery import webhooks as hooks
from games.delivery.forms import DeviceForm, MailForm, PushForm, PushHereForm, WebhookForm
from games.delivery.inbox import count_unseen, mark_one_seen, mark_seen, notice_page
from games.kernel import view_helpers as web
from games.kernel.access import standpoint_of
from games.kernel.forms import parse_moment
from games.kernel.news import Topic
from games.kernel.page import page_of
from games.kernel.refusals import Refusal
from games.kernel.rules import why_not
from games.kernel.signing_in import sent_from, signed_in
from games.news.choices import MailChoices, is_following, topics_wanted_on_devices
from games.pages.queries import GameLists
from games.pages.views.app import FILES_OF_OFFLINE_PAGE


@signed_in
@web.own_page
def inbox(request: HttpRequest) -> HttpResponse:
    """All notifications, newest first, or those up to the moment ?until=. Looking at them marks nothing as read."""
    until = parse_moment(request.GET.get("until", ""))
    page = notice_page(request.user, until)
    context = {"page": page, "until": until, "any_new": count_unseen(web.signed_in_id(request)) > 0}
    return render(request, "delivery/notices.html", context)


@web.own_page
def bell(request: HttpRequest) -> HttpResponse:
    """The number of unread notifications, as the HTML beside the bell; only for signed-in users."""
    if not request.user.is_authenticated:
        raise Http404
    return render(request, "delivery/partials/bell.html", {"new": count_unseen(web.signed_in_id(request))})


@signed_in
@sent_from("games:notices")
def read(request: HttpRequest) -> HttpResponse:
    """Mark everything as read, or one line before going to its page."""
    key = request.POST.get("key", "")
    shown = notice_page(request.user, parse_moment(request.POST.get("until", ""))).lines if key else ()
    line = next((line for line in shown if line.key == key), None)
    if line is not None:
        mark_one_seen(line)
    elif not key:
        mark_seen(web.signed_in_id(request))
    return web.SeeOther(line.address if line else reverse("games:notices"))


@web.form_page
def choices(request: HttpRequest) -> HttpResponse:
    """The settings for all games."""
    user_id = web.signed_in_id(request)
    chosen = {topic.value: mail for topic, mail in choosing.chosen_mail(user_id, None).items()}
    initial = {
        **chosen,
        "hour": choosing.hour_of_digest(user_id),
        "with_map": user_id in MailChoices([user_id]).users_wanting_map,
    }
    posted, topics = request.POST if request.method == "POST" else None, choosing.topics_for(user_id, None)
    form = MailForm(posted, topics=topics, one_game=False, initial=initial)
    if form.is_valid():
        choosing.choose_mail(user_id=user_id, mail=form.choices(), hour=form.hour(), with_map=form.with_map())
        return web.redirect_with_success(request, _("Saved."), "games:notify")
    here, devices = request.session.get(push.SESSION_KEY, 0), push.devices_of(user_id)
    context = {
        "form": form,
        "zone": web.time_zone_of(request).key,
        "games": GameLists(request.user).page("mine").games,
        "push_key": push.public_key(),
        "push_here": here in devices,
        "push_held": json.dumps([devices.get(here), *devices.values()]),
        "push_count": len(devices),
        "push_form": PushForm(topics=topics, initial={"topics": sorted(topics_wanted_on_devices(user_id))}),
    }
    return render(request, "delivery/notify.html", context, status=web.status_of(form))


@web.form_page
def choices_for_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of one game that differ, for those who get emails about it: its players and game master."""
    access = web.access_for_visitor(request, slug)
    view = page_of(access)
    has_part = access.seat is not None or access.is_gm or view.game.i_joined
    if not has_part and not is_following(access.game_id, web.signed_in_id(request)):
        raise Http404
    ids = {"user_id": web.signed_in_id(request), "game_id": access.game_id}
    form_data = request.POST if request.method == "POST" else None
    everywhere = choosing.chosen_mail(web.signed_in_id(request), None)
    topics = choosing.topics_for(**ids)
    form = MailForm(form_data, topics=topics, one_game=True, everywhere=everywhere, initial=choosing.chosen_mail(**ids))
    devices = PushHereForm(form_data, topics=topics, initial=choosing.chosen_push(**ids)) if push.public_key() else None
    if form.is_valid() and (devices is None or devices.is_valid()):
        choosing.choose_mail(user_id=web.signed_in_id(request), game_id=access.game_id, mail=form.choices())
        if devices is not None:
            choosing.choose_push(**ids, push=devices.choices())
        return web.redirect_with_success(request, _("Saved."), "games:notify-game", slug=slug)
    context = {"form": form, "devices": devices, "view": view}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "delivery/notify_game.html", context, status=status)


@csrf_exempt  # the worker, which has no token, renews an address; see `is_from_here`
@signed_in
@sent_from("games:notify")
def push_on(request: HttpRequest) -> HttpResponse:
    """Notify the visitor on this device from now on, in place of its old address. For a script: 204, or 422 and why."""
    form = DeviceForm(request.POST)
    if not (push.public_key() and web.is_from_here(request)):
        raise Http404
    if not form.is_valid():
        sentence = " ".join(str(mistake) for mistakes in form.errors.values() for mistake in mistakes)
        return HttpResponse(sentence, status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain; charset=utf-8")
    user_id, before = web.signed_in_id(request), request.session.get(push.SESSION_KEY)
    number = request.session[push.SESSION_KEY] = push.add_device(user_id=user_id, **form.cleaned_data)
    if before not in {None, number}:
        push.remove_device(user_id=user_id, number=before)
    return HttpResponse(status=204)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that a browser runs for the whole site; see the script for what it does and keeps."""
    files = {"offline": reverse("games:offline"), "look": " ".join(static(file) for file in FILES_OF_OFFLINE_PAGE)}
    context = {**files, "push_key": push.public_key(), "push_to": reverse("games:push-on")}
    return render(request, "delivery/worker.js", context, content_type="text/javascript")


@signed_in
@sent_from("games:notify")
def push_off(request: HttpRequest) -> HttpResponse:
    """Stop notifying this device, or all of them."""
    if "all" in request.POST:
        push.forget_devices(web.signed_in_id(request))
    else:
        push.remove_device(user_id=web.signed_in_id(request), number=request.session.get(push.SESSION_KEY, 0))
    return web.redirect_with_success(request, _("Notifications turned off."), "games:notify")


@signed_in
@sent_from("games:notify")
def push_topics(request: HttpRequest) -> HttpResponse:
    """Save on which topics devices are notified."""
    topics = choosing.topics_for(web.signed_in_id(request), None)
    form = PushForm(request.POST, topics=topics)
    if form.is_valid():
        choosing.choose_push_topics(user_id=web.signed_in_id(request), topics=form.cleaned_data["topics"], among=topics)
        return web.redirect_with_success(request, _("Saved."), "games:notify")
    messages.error(request, _("Nothing was saved. Choose from the options on this page."))
    return web.SeeOther(reverse("games:notify"))


@web.form_page
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """The visitor's webhooks for this game; after a POST, with the secret of the new one, which no other page shows."""
    access, user_id, new_secret = web.access_for_visitor(request, slug), web.signed_in_id(request), ""
    form = WebhookForm(request.POST or None)
    if form.is_valid():
        try:
            _, new_secret = hooks.add_webhook(game_id=access.game_id, user_id=user_id, **form.cleaned_data)
            form = WebhookForm()
        except Refusal as refusal:
            form.add_error("address" if isinstance(refusal, hooks.BadWebhook) else None, refusal.sentence)
    context = {
        "form": form,
        "fresh": new_secret,
        "hooks": hooks.webhooks_of(user_id, access.game_id),
        "with_hooks": {it.slug: it.game for it in hooks.webhooks_of(user_id)} if form.non_field_errors() else {},
        "why_not": why_not(hooks.may_add_webhook, standpoint_of(access)),
        "view": page_of(access),
    }
    return render(request, "delivery/webhooks.html", context, status=web.status_of(form))


@web.button_action("games:webhooks")
def send_test(request: HttpRequest, slug: str, number: int) -> str:  # noqa: ARG001 - the page to go back to
    hooks.ask_for_test(user_id=web.signed_in_id(request), number=number)
    return _("A test post is on its way. Load this page again in a few seconds to see the answer.")


@web.button_action("games:webhooks")
def reminders(request: HttpRequest, slug: str, number: int) -> str:  # noqa: ARG001 - the page to go back to
    wanted = request.POST.get("reminders") == "yes"
    hooks.choose_reminders(user_id=web.signed_in_id(request), number=number, reminders=wanted)
    return _("Reminders are posted there from now on.") if wanted else _("No more reminders are posted there.")


@web.button_action("games:webhooks")
def remove(request: HttpRequest, slug: str, number: int) -> str:  # noqa: ARG001 - the page to go back to
    hooks.remove_webhook(user_id=web.signed_in_id(request), number=number)
    return _("Webhook removed. Nothing is posted there any more.")


@csrf_exempt  # mail apps post here for users who need not be signed in; the address itself is the proof
@web.own_form
def unsubscribe(request: HttpRequest, secret: str) -> HttpResponse:
    """Unsubscribe from emails like this one: by a button here or in the mail app, never by opening the page."""
    user_and_topic = choosing.user_and_topic_of(secret)
    if user_and_topic is None:
        raise Http404
    user_id, topic = user_and_topic
    if request.method == "POST":
        choosing.turn_off_mail(user_id=user_id, topic=topic)
    title = "" if topic == choosing.DAILY_DIGEST else Topic(topic).label
    return render(request, "delivery/unsubscribe.html", {"title": title, "done": request.method == "POST"})
