"""Pages as they are compressed: whole, no heavier than by the library, and of a length that tells nothing."""

import gzip

import pytest
from django.http import HttpRequest, HttpResponse

from games.kernel.zipping import gzip_page, gzip_response
from variants.maps import draw_svg, drawing_of
from variants.registry import find

MAP = draw_svg("1926", drawing_of(find("1926").start, find("1926")))
ROWS = "".join(f"<li>Order {number} of a power</li>" for number in range(500))
PAGES = {
    "a map between other things": f"{ROWS}{MAP}{ROWS}",
    "two maps": f"{MAP}{ROWS}{MAP}",
    "no map": ROWS,
    "a map that is cut off": MAP[: len(MAP) // 2],
    "nothing": "",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_comes_out_as_it_went_in(page: str) -> None:
    assert gzip.decompress(gzip_response(page.encode(), "name")).decode() == page


def test_a_page_with_a_map_is_no_heavier_than_the_library_makes_it() -> None:
    page = PAGES["a map between other things"].encode()
    assert len(gzip_response(page)) <= len(gzip.compress(page, compresslevel=6))


def test_the_length_of_a_page_made_for_one_reader_is_drawn_anew_each_time() -> None:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_ENCODING"] = "gzip"
    view = gzip_page(lambda _request: HttpResponse(ROWS))
    assert len({len(view(request).content) for _ in range(30)}) > 1


def test_a_browser_that_takes_no_gzip_gets_the_page_as_it_is() -> None:
    answer = gzip_page(lambda _request: HttpResponse(ROWS))(HttpRequest())
    assert (answer.content.decode(), answer["Vary"]) == (ROWS, "Accept-Encoding")
