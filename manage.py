#!/usr/bin/env python3
"""Django's command line; starts the embedded servers for the command when nothing else serves."""

import os
import sys

from django.core.management import execute_from_command_line

from diplomacy_site.embedded import stack


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_site.settings.local")
    with stack.attached_or_started():
        try:
            execute_from_command_line(sys.argv)
        except OSError as fault:  # a mail server that refuses, or a full disk
            sys.exit(f"{' '.join(sys.argv[:2])} failed: {type(fault).__name__}: {fault}")


if __name__ == "__main__":
    main()
