"""Deleting a practice game whole. Every other game stays for ever: the database refuses to give up its log."""

from collections.abc import Collection
from typing import Any

from django.db import router
from django.db.models import ManyToOneRel, Model

from games.kernel.models import Game


def erase(game: Game) -> None:
    """Delete the game and every row that belongs to it. The caller holds the lock on the game."""
    _erase(Game, [game.pk])


def _erase(model: type[Model], ids: Collection[Any]) -> None:
    """Delete these rows after all that refer to them: the log may only go while its game is still there."""
    for relation in model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel):
            continue
        child: Any = relation.related_model
        theirs = child._base_manager.filter(**{f"{relation.field.name}__in": ids})
        if children := list(theirs.values_list("pk", flat=True)):
            _erase(child, children)
    gone = model._base_manager.filter(pk__in=ids)
    gone._raw_delete(router.db_for_write(model))  # `delete` would refuse what is protected
