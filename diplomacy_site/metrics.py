"""/metrics for Prometheus: numbers for the whole site, read from the database and Redis on request.

Closed unless METRICS_TOKEN is set; then requests must send `Authorization: Bearer …`. The time that adjudication takes
may depend on the bids, and pages are asked for by players, so both are given in coarse steps, for all games together,
and nowhere else.
"""

from collections.abc import Iterator
from itertools import accumulate

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from diplomacy_site import shared_counts
from diplomacy_site.trouble import measures


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers in Prometheus's text format; raises Http404 without the token."""
    authorization = request.headers.get("Authorization", "")
    if not (settings.METRICS_TOKEN and constant_time_compare(authorization, f"Bearer {settings.METRICS_TOKEN}")):
        raise Http404
    registry = CollectorRegistry(auto_describe=False)
    registry.register(SiteNumbers())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class SiteNumbers(Collector):
    """Collects the site's present numbers for Prometheus."""

    def collect(self) -> Iterator[Metric]:
        info = GaugeMetricFamily("diplomacy_info", "Always 1; the version is a label.", labels=["version"])
        info.add_metric([settings.SITE_VERSION], 1)
        yield info
        families: dict[str, GaugeMetricFamily] = {}
        for measure in measures():
            label, value = measure.part
            family = GaugeMetricFamily(f"diplomacy_{measure.name}", measure.meaning, labels=[label] if label else [])
            families.setdefault(measure.name, family).add_metric([value] if label else [], measure.value)
        yield from families.values()
        if families["redis_away"].samples[0].value:
            return
        tally = shared_counts.judge_tally()
        meaning = "Time to close a phase and open the next, for all games together; the sum is of bounds."
        times = HistogramMetricFamily("diplomacy_adjudication_seconds", meaning)
        times.add_metric([], _buckets(tally), tally.seconds)
        yield times
        meaning = "Phases that could not be adjudicated."
        yield CounterMetricFamily("diplomacy_adjudication_failures", meaning, value=tally.failed)
        meaning = "Time to answer, by the name of the page, with the wait for a thread; the sum is of bounds."
        times = HistogramMetricFamily("diplomacy_page_seconds", meaning, labels=["page"])
        failures = CounterMetricFamily("diplomacy_page_failures", "Answers with 500 or more.", labels=["page"])
        for page, tally in shared_counts.page_tallies().items():
            times.add_metric([page], _buckets(tally), tally.seconds)
            failures.add_metric([page], tally.failed)
        yield times
        yield failures


def _buckets(tally: shared_counts.Tally) -> list[tuple[str, float]]:
    bounds = (*map(str, shared_counts.STEPS_SECONDS), "+Inf")
    return list(zip(bounds, accumulate(tally.counts), strict=True))
