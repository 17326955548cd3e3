"""Who asks: the user's configuration file, an instance or a resource of the cloud itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clew.errors import ConfigError
from clew.models.extras import import_extra

AUTHS = ("config_file", "instance_principal", "resource_principal")
_CONNECT_TIMEOUT_S = 10.0


def make_client(
    kind: str,
    *,
    auth: str = "config_file",
    profile: str | None = None,
    config_file: str | Path | None = None,
    endpoint: str | None = None,
    timeout_s: float = 120.0,
    retries: bool = False,
) -> Any:
    """Return the SDK's client ``module.Class``; with ``retries`` it asks again by itself.

    ``auth`` is one of :data:`AUTHS`; ``profile`` (``OCI_CONFIG_PROFILE``, else ``DEFAULT``) and
    ``config_file`` (``OCI_CONFIG_FILE``, else ``~/.oci/config``) are those of the first;
    ``endpoint`` replaces the service's own. Raises :class:`clew.errors.ConfigError`.
    """
    oci = import_extra("oci", extra="oci", purpose="Oracle Cloud Infrastructure")
    module, _, name = kind.rpartition(".")
    client = getattr(import_extra(f"oci.{module}", extra="oci", purpose="this service"), name)
    options: dict[str, Any] = {
        "timeout": (min(timeout_s, _CONNECT_TIMEOUT_S), timeout_s),
        "retry_strategy": oci.retry.DEFAULT_RETRY_STRATEGY,
    }
    if not retries:
        options["retry_strategy"] = oci.retry.NoneRetryStrategy()
        options["circuit_breaker_strategy"] = oci.circuit_breaker.NoCircuitBreakerStrategy()
    if endpoint:
        options["service_endpoint"] = endpoint
    if auth == "config_file":
        return _configured(oci, profile, config_file, lambda config: client(config, **options))
    return client({}, signer=_signer(oci, auth), **options)


def _configured(
    oci: Any,
    profile: str | None,
    config_file: str | Path | None,
    make: Callable[[Any], Any],
) -> Any:
    """What ``make`` makes of the file: clients find what is missing in a profile, or in its key."""
    path = str(config_file or os.environ.get("OCI_CONFIG_FILE") or "~/.oci/config")
    name = profile or os.environ.get("OCI_CONFIG_PROFILE") or "DEFAULT"
    try:
        return make(oci.config.from_file(path, name))
    except oci.exceptions.ClientError as error:  # also ConfigFileNotFound, InvalidConfig, …
        raise ConfigError(
            f"{path}, profile {name!r}: no access to Oracle Cloud can be read from it "
            f"({str(error).partition(chr(10))[0]}). Make one with `oci setup config`, name another "
            "with config_file= and profile=, or use auth='instance_principal' on a machine of the "
            "cloud"
        ) from error


def _signer(oci: Any, auth: str) -> Any:
    signers: dict[str, Callable[[], Any]] = {
        "instance_principal": oci.auth.signers.InstancePrincipalsSecurityTokenSigner,
        "resource_principal": oci.auth.signers.get_resource_principals_signer,
    }
    if auth not in signers:
        raise ConfigError(f"auth={auth!r} is not one of {', '.join(AUTHS)}")
    try:
        return signers[auth]()
    except Exception as error:  # the SDK fails in many ways where there is no such principal
        raise ConfigError(
            f"auth={auth!r}: this machine has no such identity ({error}); use "
            "auth='config_file' outside the cloud"
        ) from error


def refusal(error: Any, what: str) -> str:
    """Say what a service answered, and what to do about it."""
    remedy = {
        401: "check the key, the fingerprint and the clock of this machine",
        404: "check the names; without permission the service says the same",
        429: "the service is busy or the limit of the tenancy is reached: try again later",
    }.get(error.status, "")
    said = f"{what}: {error.code or 'error'} ({error.status}): {error.message}"
    return f"{said}; {remedy}" if remedy else said


def failures() -> tuple[type[Exception], ...]:
    """What the SDK raises when a call fails: refused by the service, or never reached it."""
    exceptions = import_extra("oci.exceptions", extra="oci", purpose="Oracle Cloud Infrastructure")
    found: tuple[type[Exception], ...] = (exceptions.ServiceError, exceptions.RequestException)
    return found


def explain(error: Exception, what: str) -> str:
    """The message for any of :func:`failures`."""
    if hasattr(error, "status"):
        return refusal(error, what)
    return f"{what}: the service cannot be reached ({error})"
