"""The real SDK of Oracle Cloud against a server on this machine that speaks its protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np
import pytest

from clew import KnowledgeBase
from clew.documents import LoadFailure
from clew.errors import (
    ConfigError,
    DocumentError,
    EmbeddingError,
    MissingModelError,
    ModelRefusedError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.integrations.oci import OCIGenAIEmbedding, OCIObjectStorageTextLoader
from clew.models.base import BaseEmbedding, Embedder
from clew.testing.wires.oci import write_configuration

NAMESPACE, BUCKET, COMPARTMENT = "tenancy1", "papers", "ocid1.compartment.oc1..mill"
OBJECTS = {
    "mills/": b"",
    "mills/orm.md": b"# Orm Mill\n\nOrm Mill was built by Tal Works.\n",
    "mills/tal.html": b"<h1>Tal Works</h1><p>Berit Lind founded Tal Works.</p>",
    "mills/two.jsonl": b'{"text": "One."}\n{"text": "Two."}\n',
    "mills/broken.pdf": b"%PDF-1.4 and no more",
    "other.txt": "Die Größe der Mühle war für die Bürger außergewöhnlich.".encode("latin-1"),
}


class _Cloud(BaseHTTPRequestHandler):
    requests: list[dict[str, Any]]
    busy: int

    def do_GET(self) -> None:
        self._note({})
        place = urlsplit(self.path)
        parts = place.path.strip("/").split("/", 5)
        if parts == ["n"]:
            self._send(json.dumps(NAMESPACE).encode())
        elif parts[:4] != ["n", NAMESPACE, "b", BUCKET]:
            self._refuse(404, "BucketNotFound", "Either the bucket does not exist or …")
        elif len(parts) == 5:
            self._list(parse_qs(place.query))
        elif (name := unquote(parts[5])) in OBJECTS:
            self._send(OBJECTS[name], "application/octet-stream")
        else:
            self._refuse(404, "ObjectNotFound", f"The object '{name}' was not found")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._note(asked)
        server: Any = self.server
        if asked["compartmentId"] != COMPARTMENT:
            self._refuse(404, "NotAuthorizedOrNotFound", "Authorization failed")
        elif server.busy:
            server.busy -= 1
            self._refuse(429, "TooManyRequests", "Tenancy rate limit exceeded")
        else:
            rows = [[float(len(text)), 1.0, -2.0] for text in asked["inputs"]]
            self._send(json.dumps({"id": "1", "embeddings": rows}).encode())

    def _list(self, query: dict[str, list[str]]) -> None:
        prefix, start = query.get("prefix", [""])[0], query.get("start", [""])[0]
        names = [name for name in sorted(OBJECTS) if name.startswith(prefix) and name >= start]
        page = {"objects": [{"name": name} for name in names[:2]]}
        if len(names) > 2:
            page["nextStartWith"] = names[2]  # type: ignore[assignment]
        self._send(json.dumps(page).encode())

    def _note(self, body: dict[str, Any]) -> None:
        server: Any = self.server
        signed = self.headers["authorization"].startswith('Signature algorithm="rsa-sha256"')
        server.requests.append({"path": self.path, "signed": signed} | body)

    def _refuse(self, status: int, code: str, message: str) -> None:
        self._send(json.dumps({"code": code, "message": message}).encode(), status=status)

    def _send(self, data: bytes, kind: str = "application/json", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def cloud() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Cloud)
    server.requests, server.busy = [], 0
    server.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def config_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_configuration(tmp_path_factory.mktemp("oci"))


@pytest.fixture
def loader(cloud: Any, config_file: Path) -> OCIObjectStorageTextLoader:
    return OCIObjectStorageTextLoader(
        namespace=NAMESPACE, bucket_name=BUCKET, config_file=config_file, endpoint=cloud.url
    )


def test_text_of_an_object(loader: OCIObjectStorageTextLoader, cloud: Any) -> None:
    assert loader.load_text("mills/orm.md") == OBJECTS["mills/orm.md"].decode()
    assert loader.load_text("other.txt").startswith("Die Größe der Mühle")
    assert "Berit Lind founded Tal Works." in loader.load_text("mills/tal.html")
    assert all(request["signed"] for request in cloud.requests)


def test_all_objects_under_a_prefix(loader: OCIObjectStorageTextLoader) -> None:
    assert list(loader.names("mills/")) == [
        name for name in sorted(OBJECTS) if name.startswith("mills/") and name != "mills/"
    ]
    found = list(loader.load_all("mills/"))
    names = [item.doc_id.rpartition("/")[2] for item in found]
    assert names == ["broken.pdf", "orm.md", "tal.html", "two.jsonl#1", "two.jsonl#2"]
    assert isinstance(found[0], LoadFailure)
    assert "PDF" in found[0].reason
    with KnowledgeBase.in_memory() as kb:
        report = kb.ingest_documents(iter(found))
        assert report.counts == {"inserted": 4, "failed": 1}
        answer = kb.ask("Who founded the company that built Orm Mill?")
    assert answer.answer == "Berit Lind"
    assert answer.citations[0].doc_id.startswith(f"oci://{BUCKET}@{NAMESPACE}/mills/")


def test_the_namespace_is_asked_for(cloud: Any, config_file: Path) -> None:
    loader = OCIObjectStorageTextLoader(None, BUCKET, config_file=config_file, endpoint=cloud.url)
    assert loader.uri("a.txt") == f"oci://{BUCKET}@{NAMESPACE}/a.txt"


def test_what_is_not_there_is_named(loader: OCIObjectStorageTextLoader) -> None:
    with pytest.raises(DocumentError, match=r"papers/no\.md: ObjectNotFound \(404\).*permission"):
        loader.load_text("no.md")
    with pytest.raises(DocumentError, match="holds 2 documents, not one"):
        loader.load_text("mills/two.jsonl")


def test_no_server(config_file: Path) -> None:
    loader = OCIObjectStorageTextLoader(
        NAMESPACE,
        BUCKET,
        client=_impatient_client(config_file, "http://127.0.0.1:9"),
    )
    with pytest.raises(DocumentError, match="cannot be reached"):
        loader.load_text("a.txt")


def _impatient_client(config_file: Path, url: str) -> Any:
    import oci

    return oci.object_storage.ObjectStorageClient(
        oci.config.from_file(str(config_file)),
        service_endpoint=url,
        retry_strategy=oci.retry.NoneRetryStrategy(),
    )


def test_no_configuration(tmp_path: Path, config_file: Path) -> None:
    with pytest.raises(ConfigError, match="oci setup config"):
        OCIObjectStorageTextLoader(NAMESPACE, BUCKET, config_file=tmp_path / "none")
    with pytest.raises(ConfigError, match="profile 'WORK'"):
        OCIObjectStorageTextLoader(NAMESPACE, BUCKET, config_file=config_file, profile="WORK")
    with pytest.raises(ConfigError, match="instance_principal, resource_principal"):
        OCIObjectStorageTextLoader(NAMESPACE, BUCKET, auth="password")


def test_a_profile_that_lacks_something_is_named(tmp_path: Path) -> None:
    incomplete = tmp_path / "config"
    incomplete.write_text("[DEFAULT]\nregion=eu-frankfurt-1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"profile 'DEFAULT'.*tenancy.*oci setup config"):
        OCIObjectStorageTextLoader(NAMESPACE, BUCKET, config_file=incomplete)


def test_the_file_of_the_environment_goes_before_that_at_home(
    cloud: Any, config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home = tmp_path / ".oci" / "config"
    at_home.parent.mkdir()
    at_home.write_text("[OTHER]\n", encoding="utf-8")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("OCI_CONFIG_FILE", str(config_file))
    monkeypatch.delenv("OCI_CONFIG_PROFILE", raising=False)
    loader = OCIObjectStorageTextLoader(NAMESPACE, BUCKET, endpoint=cloud.url)
    assert loader.load_text("mills/orm.md") == OBJECTS["mills/orm.md"].decode()


def _embedder(cloud: Any, config_file: Path, **options: Any) -> OCIGenAIEmbedding:
    return OCIGenAIEmbedding(
        options.pop("compartment_id", COMPARTMENT),
        config_file=config_file,
        endpoint=cloud.url,
        **options,
    )


def test_vectors(cloud: Any, config_file: Path) -> None:
    embedder = _embedder(cloud, config_file)
    texts = [f"mill {'x' * number}" for number in range(200)]
    vectors = embedder.embed(texts)
    expected = np.array([[len(text), 1.0, -2.0] for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert [len(request["inputs"]) for request in cloud.requests] == [96, 96, 8]
    first = cloud.requests[0]
    assert first["signed"]
    assert first["path"].endswith("/actions/embedText")
    assert first["servingMode"] == {
        "servingType": "ON_DEMAND",
        "modelId": "cohere.embed-multilingual-v3.0",
    }
    assert (first["truncate"], first["inputType"]) == ("END", "SEARCH_DOCUMENT")
    embedder.embed(["where?"], kind="query")
    assert cloud.requests[-1]["inputType"] == "SEARCH_QUERY"
    assert embedder.dimensions == 3
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, BaseEmbedding)
    assert embedder.fingerprint == "oci/cohere.embed-multilingual-v3.0"


def test_a_dedicated_model(cloud: Any, config_file: Path) -> None:
    _embedder(cloud, config_file, endpoint_id="ocid1.endpoint.oc1..x").embed(["a"])
    assert cloud.requests[-1]["servingMode"] == {
        "servingType": "DEDICATED",
        "endpointId": "ocid1.endpoint.oc1..x",
    }


def test_a_busy_service_is_asked_again_by_clew(
    cloud: Any, config_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud.busy = 1
    with pytest.raises(RateLimitError, match="Tenancy rate limit exceeded"):
        _embedder(cloud, config_file, attempts=1).embed(["a"])
    assert len(cloud.requests) == 1
    cloud.busy = 2
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    assert _embedder(cloud, config_file).embed(["a"]).shape == (1, 3)
    assert len(cloud.requests) == 4
    assert waits == [0.5, 1.0]


def test_a_refused_call_says_what_to_do(cloud: Any, config_file: Path) -> None:
    embedder = _embedder(cloud, config_file, compartment_id="ocid1.compartment.oc1..other")
    with pytest.raises(ModelRefusedError, match=r"NotAuthorizedOrNotFound.*check the names"):
        embedder.embed(["a"])


def test_no_service(config_file: Path) -> None:
    embedder = OCIGenAIEmbedding(
        COMPARTMENT, config_file=config_file, endpoint="http://127.0.0.1:9", attempts=1
    )
    with pytest.raises(ModelUnavailableError, match="cannot be reached"):
        embedder.embed(["a"])


def test_replies_of_another_count_are_named(config_file: Path) -> None:
    class Client:
        def embed_text(self, _: Any) -> Any:
            return type("Reply", (), {"data": type("Data", (), {"embeddings": [[1.0]]})})

    with pytest.raises(EmbeddingError, match=r"oci:cohere.* returned 1 vectors .* for 2 texts"):
        OCIGenAIEmbedding(COMPARTMENT, client=Client()).embed(["a", "b"])


def test_the_compartment_comes_from_the_environment(
    cloud: Any, config_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OCI_COMPARTMENT_ID", raising=False)
    with pytest.raises(MissingModelError, match="compartment that pays: set OCI_COMPARTMENT_ID"):
        OCIGenAIEmbedding(config_file=config_file)
    monkeypatch.setenv("OCI_COMPARTMENT_ID", COMPARTMENT)
    OCIGenAIEmbedding(config_file=config_file, endpoint=cloud.url).embed(["a"])
    assert cloud.requests[-1]["compartmentId"] == COMPARTMENT
