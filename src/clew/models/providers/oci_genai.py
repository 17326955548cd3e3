"""What language models and embedders of OCI Generative AI have in common: who pays, which model,
and how calls fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clew.errors import MissingModelError, ModelTimeoutError, ModelUnavailableError
from clew.models.extras import import_extra
from clew.models.providers.oci_access import failures, refusal
from clew.models.providers.sdk_errors import translated
from clew.models.providers.statuses import failure_of, retry_after_s

CLIENT = "generative_ai_inference.GenerativeAiInferenceClient"
COMPARTMENT_VARIABLE = "OCI_COMPARTMENT_ID"
_SHOWN_CHARS = 300


def compartment(given: str | None, who: str) -> str:
    """The compartment that pays: ``given``, else ``OCI_COMPARTMENT_ID``."""
    found = given or os.environ.get(COMPARTMENT_VARIABLE)
    if not found:
        raise MissingModelError(
            f"{who} needs a compartment that pays: set {COMPARTMENT_VARIABLE}, or pass "
            "compartment_id="
        )
    return found


def serving_mode(model_id: str, endpoint_id: str | None) -> Any:
    """A model on demand, or a dedicated endpoint."""
    models = inference_models()
    if endpoint_id:
        return models.DedicatedServingMode(endpoint_id=endpoint_id)
    return models.OnDemandServingMode(model_id=model_id)


def inference_models() -> Any:
    """The SDK's classes for what the service is asked."""
    return import_extra(
        "oci.generative_ai_inference.models", extra="oci", purpose="OCI Generative AI"
    )


@contextmanager
def oci_errors(who: str) -> Iterator[None]:
    """Raise what the SDK raises inside as errors of clew."""
    refused, broken = failures()
    with translated(who):
        try:
            yield
        except refused as error:
            wait = retry_after_s(getattr(error, "headers", None) or {})
            status = int(getattr(error, "status", 0))
            raise failure_of(status, refusal(error, who), retry_after_s=wait) from error
        except broken as error:
            said = f"{who}: {str(error)[:_SHOWN_CHARS]}"
            if "timed out" in str(error).lower():
                raise ModelTimeoutError(f"{said} (no answer in time)") from error
            raise ModelUnavailableError(f"{said} (the service cannot be reached)") from error
        except (TypeError, AttributeError, KeyError) as error:  # JSON of another shape
            raise ValueError(str(error)) from error
