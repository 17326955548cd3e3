"""A server that speaks Ollama's chat protocol in front of one that speaks OpenAI's.

For trials of clew's Ollama provider with a real model where there is no Ollama: what it asks is
passed on with its schema as a grammar, and what the model says is passed back.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.ollama import OllamaWire

_TIMEOUT_S = 900


def ollama_front(url: str, model: str) -> ScriptedServer:
    """The server, to be used as a context manager; ``url`` ends in ``/v1``."""
    server = ScriptedServer()
    wire = OllamaWire()

    def answer(request: Request) -> Reply:
        body = request.body or {}
        if not request.path.endswith("/api/chat"):
            return wire.failure(404, f"no such path: {request.path}")
        options = body.get("options", {})
        asked: dict[str, Any] = {
            "model": model,
            "messages": body["messages"],
            "temperature": options.get("temperature", 0),
            "max_tokens": options.get("num_predict"),
        }
        if body.get("format"):
            asked["response_format"] = {"type": "json_object", "schema": body["format"]}
        try:
            told = _post(f"{url}/chat/completions", asked)
        except urllib.error.HTTPError as error:
            return wire.failure(error.code, error.read().decode("utf-8", "replace"))
        choice, usage = told["choices"][0], told["usage"]
        return wire.reply_of(
            {"content": choice["message"]["content"]},
            "length" if choice["finish_reason"] == "length" else "stop",
            prompt_eval_count=usage["prompt_tokens"],
            eval_count=usage["completion_tokens"],
        )

    server.script(answer)
    return server


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    data = json.dumps({key: value for key, value in body.items() if value is not None}).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as reply:
        found: dict[str, Any] = json.load(reply)
    return found
