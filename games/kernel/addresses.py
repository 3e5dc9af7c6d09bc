"""Kinds of parts of addresses, which patterns name as in <name:username>."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class Name(StringConverter):
    """A path part to look up in the database, which refuses the NUL character."""

    regex = r"[^/\0]+"


class VariantRef(StringConverter):
    """The slug of a variant or, as in “standard@1.0”, an earlier version of it."""

    regex = r"[-\w]+(?:@[\d.]+)?"


KINDS = {"name": Name, "variant": VariantRef}
for kind, converter in KINDS.items():
    register_converter(converter, kind)
