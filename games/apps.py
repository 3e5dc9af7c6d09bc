"""The app that draws on all subjects: commands, tasks, admin pages, template tags."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules

from games.kernel.languages import Spoken
from variants.words import messages


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games.delivery.webhooks import add_webhook  # noqa: PLC0415 - delivery lies above those who ask it
        from games.kernel import hooks  # noqa: PLC0415
        from games.pages.wiring import connect_hooks  # noqa: PLC0415 - subjects can be loaded once all models are

        messages.spoken = Spoken()
        autodiscover_modules("options")
        connect_hooks()
        hooks.post_news.answered_by(add_webhook)
