"""Push notifications show the email's subject, encrypted, on the chosen topics, and only once."""

from __future__ import annotations

import base64
import json
import threading
from datetime import timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from allauth.account.signals import password_changed
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core import mail
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.leaving import account_file, delete_account
from games.delivery import push
from games.delivery.choosing import choose_push_topics
from games.delivery.inbox import notice_page
from games.delivery.letters import deliver_letters
from games.delivery.outbound import Answer, post_to
from games.delivery.push import PAYLOAD_BYTES, decode, encrypted, notify_devices, public_key
from games.kernel import clock
from games.kernel.models import Letter
from games.kernel.news import Topic
from games.news.choices import topics_wanted_on_devices
from games.news.models import PushDevice
from tests.browsers import visitor
from tests.cast import DAVE, PLAYERS, person
from tests.factories import running_game
from tests.receiving import Receiver
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
AUTH = bytes(range(16))
HOME = "http://testserver"
NOWHERE = "https://push.example.org/box/1"


def text(found: bytes) -> str:
    return base64.urlsafe_b64encode(found).decode().rstrip("=")


def decrypted(body: bytes, private: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """As a browser does it: salt, length of a record, length of the sender's key, that key, one record."""
    salt, sender, record = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
    ours = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    first = HKDF(SHA256(), 32, secret, b"WebPush: info\0" + ours + sender).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(first)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(first)
    return AESGCM(key).decrypt(nonce, record, None).removesuffix(b"\2")


class PushService(Receiver):
    """A push service, as browser makers run them. Its browser decrypts what is posted."""

    def __init__(self) -> None:
        super().__init__(201)
        self.private = ec.generate_private_key(ec.SECP256R1())

    def device(self, box: str = "1") -> dict[str, str]:
        """What the browser sends when it signs up."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"http://{self.place}/{box}", "key": text(point), "auth": text(AUTH)}

    def opened(self) -> list[dict[str, str]]:
        plain = [decrypted(body, self.private, AUTH) for _headers, body in self.got]
        assert {len(one) for one in plain} <= {PAYLOAD_BYTES}, "their lengths say nothing"
        return [json.loads(one) for one in plain]


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    with PushService() as made:
        settings.OUTBOUND_ALLOWED = frozenset({made.place})
        yield made


def turned_on(service: PushService, name: str = ALICE, box: str = "1") -> None:
    push.add_device(user_id=person(name).pk, **service.device(box))


def news(name: str = "") -> Game:
    """A game whose players have just been told about a new phase and nothing else."""
    game = running_game(name=name) if name else running_game()
    Letter.objects.all().delete()
    Story(game).deadline()
    return game


def try_again() -> int:
    Letter.objects.update(next_push=None)
    return notify_devices()


def test_what_is_chosen_for_one_game_goes_before_what_is_chosen_for_all(service: PushService) -> None:
    turned_on(service)
    loud, quiet = news("Loud"), running_game(name="Quiet")
    choose_push_topics(user_id=person(ALICE).pk, topics=set(Topic.values) - {Topic.PHASE})
    alice, page = visitor(ALICE), reverse("games:notify-game", args=[loud.slug])
    assert alice.post(page, {"device-phase": "on", "phase": "daily"}).status_code == 303
    alice.post(reverse("games:notify-game", args=[quiet.slug]), {"device-game": "off"})
    assert '<option value="on" selected>Yes</option>' in alice.get(page).content.decode()
    notify_devices()
    assert [one["title"] for one in service.opened()] == ["Loud: enter your orders for Fall 1926, movement"]
    assert alice.post(page, {"device-phase": "now and then"}).status_code == 422


def test_a_device_is_told_the_subject_and_the_page_once(service: PushService) -> None:
    turned_on(service)
    game = news("Locarno")
    assert [notify_devices(), notify_devices()] == [1, 0]
    (line,) = notice_page(person(ALICE)).lines
    title = "Locarno: enter your orders for Fall 1926, movement"
    assert service.opened() == [{"title": title, "path": f"/games/{game.slug}/", "tag": line.key}]
    headers, body = service.got[0]
    assert b"Locarno" not in body
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Authorization"].startswith("vapid t=")
    assert headers["Authorization"].endswith(f",k={public_key()}")


def test_only_the_kinds_that_are_wanted_and_only_news_since_then_are_told(service: PushService) -> None:
    game = running_game()
    turned_on(service)
    assert notify_devices() == 0, "what was before is not told"
    kinds = [topic.value for topic in Topic if topic != Topic.PHASE]
    choose_push_topics(user_id=person(ALICE).pk, topics=kinds)
    Story(game).deadline()
    assert notify_devices() == 0
    choose_push_topics(user_id=person(ALICE).pk, topics=[*kinds, Topic.PHASE.value])
    Story(game).deadline()
    assert notify_devices() == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten_and_its_user_is_told(service: PushService, status: int) -> None:
    turned_on(service)
    turned_on(service, BOB, "2")
    PushDevice.objects.filter(user=person(BOB)).update(since=clock.now() + timedelta(days=1))
    running_game()
    service.status = status
    assert notify_devices() == 0
    assert [device.user_id for device in PushDevice.objects.all()] == [person(BOB).pk]
    lines = [line.sentence for name in (ALICE, BOB) for line in notice_page(person(name)).lines]
    assert sum("could no longer be notified" in line for line in lines) == 1
    deliver_letters()
    assert [it.to for it in mail.outbox if "no longer notified" in it.subject] == [[person(ALICE).email]]


def test_a_new_address_takes_the_place_of_the_one_before_only_from_our_own_pages(service: PushService) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person(ALICE))
    for box, origin in (("old", HOME), ("new", HOME), ("stolen", "https://elsewhere.example.org")):
        client.post(reverse("games:push-on"), service.device(box), headers={"Origin": origin})
    (device,) = PushDevice.objects.all()
    assert device.endpoint.endswith("/new")
    page = unescape(client.get(reverse("games:notify")).content.decode())
    assert f'data-push-held="{json.dumps([device.endpoint] * 2)}"' in page


def test_what_fails_is_told_later_under_the_same_tag(service: PushService) -> None:
    turned_on(service)
    news()
    service.status = 503
    assert [notify_devices(), notify_devices()] == [0, 0]
    assert len(service.got) == 1, "its next try is not due"
    service.status = 201
    assert try_again() == 1
    first, second = service.opened()
    assert first == second


def test_a_slow_device_keeps_no_other_user_waiting(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    turned_on(service)
    game = running_game()
    turned_on(service, BOB, "2")
    Story(game).deadline()
    meeting, posts = threading.Barrier(2, timeout=60), iter(range(9))

    def waiting_for_another(*facts: Any) -> Answer:
        if next(posts) < 2:
            meeting.wait()
        return post_to(*facts)

    monkeypatch.setattr("games.delivery.outbound.post_to", waiting_for_another)
    assert notify_devices() == 3


def test_a_redirect_is_not_followed_and_no_reason_to_try_again(service: PushService) -> None:
    turned_on(service)
    news()
    service.status = 307
    assert [notify_devices(), try_again()] == [0, 0]
    assert len(service.got) == 1


def test_a_device_inside_the_hosts_network_is_never_reached(service: PushService, settings: Settings) -> None:
    turned_on(service)
    settings.OUTBOUND_ALLOWED = frozenset()
    running_game()
    assert notify_devices() == 0
    assert service.got == []
    assert not PushDevice.objects.exists()


def test_without_a_key_nothing_is_offered_and_nothing_told(service: PushService, settings: Settings) -> None:
    turned_on(service)
    running_game()
    settings.PUSH_KEY = None
    client = visitor(ALICE)
    assert notify_devices() == 0
    assert "On my devices" not in client.get(reverse("games:notify")).content.decode()
    assert client.post(reverse("games:push-on"), service.device()).status_code == 404


def test_a_device_is_turned_on_and_off_on_the_page(service: PushService) -> None:
    client = visitor(ALICE)
    page = reverse("games:notify")
    assert f'data-push="{public_key()}"' in client.get(page).content.decode()
    assert client.post(reverse("games:push-on"), service.device()).status_code == 204
    assert "Notifications are on for this device." in client.get(page).content.decode()
    other = visitor(ALICE)
    assert "Notifications are on for 1 device." in other.get(page).content.decode()
    other.post(reverse("games:push-off"))
    assert PushDevice.objects.count() == 1, "there, nothing was on"
    client.post(reverse("games:push-off"))
    assert not PushDevice.objects.exists()
    client.post(reverse("games:push-on"), service.device())
    other.post(reverse("games:push-off"), {"all": "yes"})
    assert not PushDevice.objects.exists()


def test_kinds_are_chosen_on_the_page(service: PushService) -> None:
    client = visitor(ALICE)
    client.post(reverse("games:push-topics"), {"topics": ["due", "message"]})
    assert topics_wanted_on_devices(person(ALICE).pk) == {Topic.DUE, Topic.MESSAGE, Topic.MASTER}, (
        "that one was not offered"
    )
    client.post(reverse("games:push-topics"), {"topics": ["weather"]})
    assert topics_wanted_on_devices(person(ALICE).pk) == {Topic.DUE, Topic.MESSAGE, Topic.MASTER}, (
        "that one was not offered"
    )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"endpoint": "http://push.example.org/1"}, "must start with https://"),
        ({"endpoint": "https://push.example.org:8443/1"}, "Only port 443"),
        ({"key": text(bytes(65))}, "The browser’s key"),
        ({"key": "short"}, "The browser’s key"),
        ({"auth": "short"}, "The browser’s secret"),
    ],
)
def test_a_device_that_nothing_can_be_sent_to_is_refused(
    service: PushService, wrong: dict[str, str], sentence: str
) -> None:
    answer = visitor(ALICE).post(reverse("games:push-on"), {**service.device(), **wrong})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not PushDevice.objects.exists()


def test_the_next_user_to_sign_in_on_a_device_has_it_alone(service: PushService) -> None:
    turned_on(service, BOB)
    turned_on(service, ALICE)
    assert [device.user_id for device in PushDevice.objects.all()] == [person(ALICE).pk]


def test_signing_out_forgets_the_device_and_a_new_password_all(service: PushService) -> None:
    client = visitor(ALICE)
    client.post(reverse("games:push-on"), service.device("here"))
    turned_on(service, box="elsewhere")
    client.post(reverse("account_logout"))
    assert [device.endpoint[-9:] for device in PushDevice.objects.all()] == ["elsewhere"]
    password_changed.send(sender=None, request=None, user=person(ALICE))
    assert not PushDevice.objects.exists()


def test_the_devices_go_along_and_are_deleted_with_the_account() -> None:
    dave = person(DAVE)
    push.add_device(user_id=dave.pk, endpoint=NOWHERE, key="k", auth="a")
    choose_push_topics(user_id=dave.pk, topics=[])
    papers = account_file(dave)
    assert [device["address"] for device in papers["told_on"]] == [NOWHERE]
    assert papers["not_told_there"] == [topic.label for topic in Topic]
    delete_account(dave)
    assert not PushDevice.objects.exists()


def test_the_worker_shows_a_tag_once_and_opens_pages_of_this_site_only() -> None:
    answer = visitor(ALICE).get(reverse("games:worker"))
    assert answer["Content-Type"] == "text/javascript"
    script = answer.content.decode()
    assert "tag" in script
    assert "page.origin === self.location.origin" in script


def test_a_notification_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    words = b"When I grow up, I want to be a watermelon"
    body = decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    sender, browser = (
        ec.derive_private_key(int.from_bytes(decode(one), "big"), ec.SECP256R1())
        for one in ("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    )
    secret, salt = decode("BTBZMqHH6r4Tts7J_aSIgg"), decode("DGv6ra1nlYgDCS1FRnbzlw")
    key = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert encrypted(words, key, secret, sender, salt) == body
    assert decrypted(body, browser, secret) == words
