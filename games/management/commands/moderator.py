"""Makes an account a moderator, or takes that away again."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError

GROUP = "Moderators"


class Command(BaseCommand):
    help = "Make an account a moderator. With --remove, stop it being one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--remove", action="store_true")

    def handle(self, *args: Any, name: str, remove: bool, **options: Any) -> None:
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no account called {name!r}.")
        group, _made = Group.objects.get_or_create(name=GROUP)
        group.permissions.add(Permission.objects.get(content_type__app_label="people", codename="moderate"))
        if remove:
            user.groups.remove(group)
        else:
            user.groups.add(group)
        self.stdout.write(f"{name} is {'no longer' if remove else 'now'} a moderator.")
