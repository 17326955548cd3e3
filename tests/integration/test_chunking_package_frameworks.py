"""Adaptive chunking from outside Python and from inside frameworks, as its users know it.

In the order in which one meets it: install, command line, LangChain, LlamaIndex, Oracle Cloud,
HTTP. Every framework is the real one.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import metadata
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi.testclient import TestClient

import clew
from clew.chunking import STRATEGIES, AdaptiveChunker
from clew.chunking.chunkers import DelimiterChunker
from clew.chunking.selector import AdaptiveSelector
from clew.errors import DocumentError
from clew.server.application import make_app

ROOT = Path(__file__).resolve().parents[2]

NOTES = "# Lock Nine\n\nThe lock lifts barges.\n\n## Tolls\n\nA barge pays six crowns a passage.\n"
MANUAL = "\n\n".join(
    f"## Gate {at}\n\n{f'Gate {at} is oiled each week. ' * 20}" for at in range(1, 7)
)
PARTS = "Part one of the log.\n---\nPart two of the log.\n---\nPart three of the log."


# --- install --------------------------------------------------------------------------------------


@pytest.mark.parametrize("extra", ["oci", "api", "langchain", "llama-index"])
def test_what_is_optional_has_an_extra(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert extra in project["optional-dependencies"]


def test_the_version_can_be_asked_for() -> None:
    code = "import clew; print(clew.__version__)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout.decode().strip() == clew.__version__ == metadata("clew")["Version"]


def test_chunking_loads_no_framework() -> None:
    names = ["fastapi", "uvicorn", "oci", "langchain_core", "llama_index", "pydantic"]
    code = (
        "import sys; from clew.chunking import AdaptiveChunker as A; A().chunk('# A\\n\\nb');"
        f"print([name for name in {names} if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout.decode().strip() == "[]"


# --- command line ---------------------------------------------------------------------------------


def _clew(*arguments: str, status: int = 0) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "clew", *arguments], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.md"
    path.write_text(NOTES, encoding="utf-8")
    return path


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_file_gives_json_that_can_be_piped(sample: Path, place: str) -> None:
    command = ["chunk", str(sample)]
    printed = _clew(*(["--json", *command] if place == "before" else [*command, "--json"]))
    (result,) = json.loads(printed)["documents"]
    assert result["strategy_name"]
    assert result["metrics"]
    for chunk in result["chunks"]:
        assert NOTES[chunk["start"] : chunk["end"]] == chunk["text"]
    assert "candidates" not in result


def test_a_file_is_chunked_as_asked(sample: Path) -> None:
    printed = _clew(
        "chunk", str(sample), "--document-id", "ferry", "--strategy", "sentence",
        "--strategy", "section-aware", "--include-candidates", "--json",
    )  # fmt: skip
    (result,) = json.loads(printed)["documents"]
    assert result["document_id"] == "ferry"
    assert {item["strategy_name"] for item in result["candidates"]} == {"sentence", "section-aware"}
    assert all(item["chunks"] for item in result["candidates"])


def test_one_name_is_not_given_to_several_files(sample: Path) -> None:
    sample.with_name("other.md").write_text("Other.", encoding="utf-8")
    printed = _clew("chunk", str(sample.parent), "--document-id", "one", "--json", status=2)
    assert "names one document" in json.loads(printed)["error"]["message"]


def test_strategies_are_listed() -> None:
    named = {item["name"] for item in json.loads(_clew("strategies", "--json"))["strategies"]}
    assert {*STRATEGIES} <= named


# --- LangChain ------------------------------------------------------------------------------------


def test_langchain_documents() -> None:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

    from clew.integrations.langchain import LangChainAdaptiveTextSplitter

    splitter = LangChainAdaptiveTextSplitter()
    assert isinstance(splitter, TextSplitter)
    documents = splitter.create_documents([MANUAL, NOTES], [{"file": "a"}, {"file": "b"}])
    assert {type(document) for document in documents} == {Document}
    assert {document.metadata["file"] for document in documents} == {"a", "b"}
    for document in documents:
        source = MANUAL if document.metadata["file"] == "a" else NOTES
        at = document.metadata["start_index"]
        assert source[at:].startswith(document.page_content)
    assert splitter.split_text(NOTES) == [
        document.page_content for document in documents if document.metadata["file"] == "b"
    ]
    whole = [Document(page_content=MANUAL, metadata={"file": "a"})]
    assert splitter.split_documents(whole) == documents[: len(splitter.split_text(MANUAL))]


def test_langchain_with_a_chunker_of_ones_own() -> None:
    from clew.integrations.langchain import LangChainAdaptiveTextSplitter

    chunker = AdaptiveChunker(AdaptiveSelector([DelimiterChunker(delimiter="\n---\n")]))
    splitter = LangChainAdaptiveTextSplitter(chunker=chunker, keep_separator=False)
    assert len(splitter.create_documents([PARTS])) == 3


# --- LlamaIndex -----------------------------------------------------------------------------------


def test_llama_index_nodes() -> None:
    from llama_index.core.schema import TextNode

    from clew.integrations.llama_index import chunks_to_llama_nodes, result_to_llama_nodes

    result = AdaptiveChunker().chunk(MANUAL, document_id="policy")
    nodes = result_to_llama_nodes(result)
    assert {type(node) for node in nodes} == {TextNode}
    assert [node.text for node in nodes] == [chunk.text for chunk in result.chunks]
    assert {node.ref_doc_id for node in nodes} == {"policy"}
    same = chunks_to_llama_nodes(result.chunks, document_id="policy", metadata={"year": 1931})
    assert [node.id_ for node in same] == [node.id_ for node in nodes]
    assert {node.metadata["year"] for node in same} == {1931}
    assert all(after.prev_node.node_id == before.id_ for before, after in pairwise(nodes))  # type: ignore[union-attr]


def test_llama_index_parser_with_a_chunker_of_ones_own() -> None:
    from llama_index.core import Document

    from clew.integrations.llama_index import LlamaIndexAdaptiveNodeParser, LlamaIndexAdaptiveParser

    chunker = AdaptiveChunker(AdaptiveSelector([DelimiterChunker(delimiter="\n---\n")]))
    parser = LlamaIndexAdaptiveParser(chunker)
    nodes = parser.get_nodes_from_documents([Document(text=PARTS, id_="log")])
    assert {node.metadata["strategy"] for node in nodes} == {"delimiter"}
    assert len(nodes) == 3
    usual = LlamaIndexAdaptiveNodeParser().get_nodes_from_documents([Document(text=PARTS)])
    assert {node.metadata["strategy"] for node in usual} != {"delimiter"}


# --- Oracle Cloud ---------------------------------------------------------------------------------


class _Bucket(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path == "/n/my-namespace/b/documents/o/policies%2Fferry.md"
        body = NOTES.encode() if found else b'{"code": "ObjectNotFound", "message": "none"}'
        self.send_response(200 if found else 404)
        self.send_header("content-type", "text/plain" if found else "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def object_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a service on this machine, and access to it as the environment gives it."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    config = (
        f"[WORK]\nuser=ocid1.user.oc1..a\ntenancy=ocid1.tenancy.oc1..a\n"
        f"fingerprint={':'.join(['0a'] * 16)}\nregion=eu-frankfurt-1\nkey_file={tmp_path}/key\n"
    ).encode()
    for name, data in {"key": key, "config": config}.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o600)
    monkeypatch.setenv("OCI_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("OCI_CONFIG_PROFILE", "WORK")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Bucket) as service:
        Thread(target=service.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{service.server_port}"
        service.shutdown()


def test_text_from_a_bucket_is_chunked(object_storage: str) -> None:
    from clew.integrations.oci import OCIObjectStorageTextLoader

    loader = OCIObjectStorageTextLoader(
        namespace="my-namespace", bucket_name="documents", endpoint=object_storage
    )
    text = loader.load_text("policies/ferry.md")
    assert text == NOTES
    assert AdaptiveChunker().chunk(text, document_id="policies/ferry.md").chunks
    with pytest.raises(DocumentError, match="policies/none"):
        loader.load_text("policies/none.md")


# --- HTTP -----------------------------------------------------------------------------------------


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_app()) as client:
        yield client


def test_post_a_text(client: TestClient) -> None:
    answer = client.post("/chunk", json={"text": "# Title\nBody text", "document_id": "demo"})
    assert answer.status_code == 200
    told = answer.json()
    assert (told["document_id"], told["strategy_name"]) == ("demo", "recursive")
    assert told["chunks"][0]["text"] == "# Title\nBody text"
    assert told["metrics"]
    assert "candidates" not in told


NO_CHOICE: list[dict[str, Any]] = [{}, {"strategies": None}, {"strategies": []}]


def test_post_with_strategies_and_candidates(client: TestClient) -> None:
    asked = {
        "text": MANUAL,
        "document_id": "pumps",
        "strategies": ["section-aware", "sentence"],
        "include_candidates": True,
    }
    told = client.post("/chunk", json=asked).json()
    assert {item["strategy_name"] for item in told["candidates"]} == {"section-aware", "sentence"}
    assert told["candidates"][0]["chunks"] == told["chunks"]
    usual = [client.post("/chunk", json={"text": MANUAL, **more}).json() for more in NO_CHOICE]
    assert usual[0] == usual[1] == usual[2]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ('{"document_id": "demo"}', 422, "text"),
        ('{"text": 5}', 422, "text"),
        ('{"text": "a", "strategies": ["sections"]}', 422, "section-aware"),
        ('{"text": "a", "strategies": "sentence"}', 422, "strategies"),
        ('{"text": "a", "include_candidates": "perhaps"}', 422, "include_candidates"),
        ('{"text": ', 422, "JSON"),
        ("# Title", 422, "JSON"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    client: TestClient, body: str, status: int, said: str
) -> None:
    answer = client.post("/chunk", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert said in json.dumps(answer.json()["detail"])


def test_other_ways_to_ask_are_refused(client: TestClient) -> None:
    assert client.get("/chunk").status_code == 405
    assert client.post("/chunks", json={"text": "a"}).status_code == 404
    assert client.get("/docs").status_code == 200


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of ``clew.server:app`` under the real uvicorn."""
    command = [sys.executable, "-m", "uvicorn", "clew.server:app", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield next(
                line.split("running on ")[1].split()[0]
                for line in process.stderr
                if "running on http://127.0.0.1" in line
            )
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


def test_uvicorn_serves_the_application(server: str) -> None:
    told = httpx.post(f"{server}/chunk", json={"text": NOTES, "document_id": "ferry"}).json()
    for chunk in told["chunks"]:
        assert NOTES[chunk["start"] : chunk["end"]] == chunk["text"]
    large = httpx.post(f"{server}/chunk", json={"text": "x" * 10_000_001}, timeout=30)
    assert large.status_code == 413
