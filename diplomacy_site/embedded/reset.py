"""`./run reset`: deletes the local data; the next `./run` starts afresh."""

import shutil

from diplomacy_site.embedded import places
from diplomacy_site.embedded.errors import EmbeddedError
from diplomacy_site.embedded.stack import sole_use


def main(arguments: list[str]) -> int:
    if arguments:
        raise EmbeddedError("reset takes no arguments; it deletes the local data.")
    with sole_use(places.DATA) as alone:
        if not alone:
            raise EmbeddedError("the site is running. Stop it with Ctrl-C, then type ./run reset again.")
        for folder in (places.sockets(places.DATA), places.out_of_reach(places.DATA), places.DATA):
            shutil.rmtree(folder, ignore_errors=True)
    print("The local data has been deleted; ./run starts afresh.")
    return 0
