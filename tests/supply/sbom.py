"""The components of the site in a standard format, CycloneDX, from its locks and the licences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from diplomacy_site.settings import base
from tests.supply.licences import licence_of
from tests.supply.locks import IMAGE, pins

if TYPE_CHECKING:
    from tests.supply.locks import Pin


def sbom() -> str:
    bom = Bom(components=map(_component, pins(*IMAGE)))
    bom.metadata.component = Component(
        name="diplomacy-site", version=base.SITE_VERSION, type=ComponentType.APPLICATION, bom_ref="diplomacy-site"
    )
    bom.register_dependency(bom.metadata.component, bom.components)
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


def _component(pin: Pin) -> Component:
    licence = licence_of(pin.name)
    return Component(
        name=pin.name,
        version=pin.version,
        type=ComponentType.LIBRARY,
        purl=PackageURL("pypi", None, pin.name, pin.version),
        bom_ref=str(pin),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in pin.hashes],
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
    )
