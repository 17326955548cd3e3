"""Where models are, and that their keys go nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from clew.errors import MissingExtraError, MissingModelError, ModelUnavailableError
from clew.models import AnthropicLLM, GroqLLM, OpenAILLM
from clew.models.providers.access import Access, access
from clew.testing.scripted_server import ScriptedServer
from clew.testing.wires.anthropic import AnthropicWire
from clew.testing.wires.base import Wire
from clew.testing.wires.openai import OpenAIWire

PROVIDERS: list[tuple[str, Any, Wire, str]] = [
    ("OPENAI", OpenAILLM, OpenAIWire(), "/v1"),
    ("GROQ", GroqLLM, OpenAIWire(in_x_groq=True), ""),
    ("ANTHROPIC", AnthropicLLM, AnthropicWire(), ""),
]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, *_ in PROVIDERS:
        monkeypatch.delenv(f"{provider}_API_KEY", raising=False)
        monkeypatch.delenv(f"{provider}_BASE_URL", raising=False)
    monkeypatch.delenv("CLEW_LLM_KEY", raising=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.mark.parametrize(("name", "kind", "wire", "path"), PROVIDERS)
def test_a_key_goes_only_where_it_belongs(
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    kind: Any,
    wire: Wire,
    path: str,
) -> None:
    server.script(wire.reply("yes"))
    url = server.url + path

    def key_sent(**options: Any) -> str:
        kind(model="m", **options).generate("?")
        return wire.asked(server.requests[-1]).key

    monkeypatch.setenv(f"{name}_API_KEY", "of-the-provider")
    assert key_sent(base_url=url) == "none", "somebody's server is not told the provider's key"
    monkeypatch.setenv("CLEW_LLM_KEY", "of-this-server\n")
    assert key_sent(base_url=url) == "of-this-server"
    assert key_sent(base_url=url, api_key=" given ") == "given"
    monkeypatch.delenv("CLEW_LLM_KEY")
    monkeypatch.setenv(f"{name}_BASE_URL", url + "/")
    assert key_sent() == "of-the-provider", "both stand in the environment"


@pytest.mark.parametrize(("name", "kind", "wire", "path"), PROVIDERS)
def test_without_a_key_it_is_said_which(name: str, kind: Any, wire: Wire, path: str) -> None:
    with pytest.raises(MissingModelError, match=rf":m needs a key: set {name}_API_KEY, or name"):
        kind(model="m")


@pytest.mark.parametrize(("name", "kind", "wire", "path"), PROVIDERS)
@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://"])
def test_what_is_no_address_is_refused(
    name: str, kind: Any, wire: Wire, path: str, url: str
) -> None:
    with pytest.raises(MissingModelError, match="must be an address"):
        kind("k", "m", base_url=url)


def test_a_key_that_no_header_can_carry_is_not_shown() -> None:
    with pytest.raises(MissingModelError, match="holds characters that no key has") as caught:
        OpenAILLM("geheimer-schlüssel", "m")
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(("name", "kind", "wire", "path"), PROVIDERS)
def test_no_proxy_stands_before_this_machine(
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    kind: Any,
    wire: Wire,
    path: str,
) -> None:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    server.script(wire.reply("yes"))
    assert kind("k", "m", base_url=server.url + path).generate("?") == "yes"


@pytest.mark.parametrize(
    ("module", "kind"), [("openai", OpenAILLM), ("groq", GroqLLM), ("anthropic", AnthropicLLM)]
)
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, kind: Any
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'clew\[{module}\]'"):
        kind("k", "m")


def test_a_password_in_an_address_is_not_shown() -> None:
    llm = OpenAILLM("k", "m", base_url="http://me:hush-hush@127.0.0.1:9/v1")
    assert llm.fingerprint == "openai/m/http://127.0.0.1:9/v1/temperature=0.0"
    with pytest.raises(ModelUnavailableError) as caught:
        llm.generate("?")
    assert "openai:m at http://127.0.0.1:9/v1 cannot be reached" in str(caught.value)
    assert "hush" not in f"{caught.value} {llm!r}"


def test_a_usual_address_is_not_worth_a_word() -> None:
    found = access(
        "openai",
        "m",
        api_key="secret-key",
        base_url="https://usual/v1/",
        usual_url="https://usual/v1",
        names=("K", "U"),
    )
    assert found == Access(
        model="openai:m", url="https://usual/v1", is_usual=True, key="secret-key"
    )
    assert (found.who, found.named_url) == ("openai:m", "")
    assert "secret" not in repr(found)


def test_the_query_of_an_address_is_kept(server: ScriptedServer) -> None:
    server.script(OpenAIWire().reply("yes"))
    url = f"{server.url}/openai/deployments/mine?api-version=2024-10-21"
    assert OpenAILLM("k", "m", base_url=url).generate("?") == "yes"
    path = "/openai/deployments/mine/chat/completions?api-version=2024-10-21"
    assert server.requests[0].path == path
    assert "api-key" not in server.requests[0].headers
