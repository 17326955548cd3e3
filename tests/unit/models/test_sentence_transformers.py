"""Embedders of sentence-transformers.

Against the library itself with a tiny, random BERT, and against a double with its interface, whose
token states know their neighbours and which can be made like models that are not to be had here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import regex
from sentence_transformers import SentenceTransformer

from clew.config import ClewConfig
from clew.errors import (
    EmbeddingError,
    FingerprintMismatchError,
    MissingExtraError,
    MissingModelError,
)
from clew.knowledge_base import KnowledgeBase
from clew.models.adapters import as_embedder
from clew.models.base import BaseEmbedding, Embedder, Span, SpanEmbedder, Vectors
from clew.models.checked import CheckedSpanEmbedder
from clew.models.default import default_embedder
from clew.models.pooling import token_ranges
from clew.models.sentence_transformers import HuggingFaceEmbedding
from clew.testing.small_bert import DIMENSIONS, save_small_embedder

WINDOW = 48
PASSAGE = "Norr Bridge was built by Sund Ironworks. It was founded by Berit Lind. "

pytestmark = pytest.mark.xdist_group("torch")  # one process imports it


class Tensor:
    """The few methods of a tensor that are used."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, np.float32)

    dtype = "float32"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def numpy(self) -> Any:
        return self.values


@dataclass
class Pooling:
    pooling_mode: Any = "mean"
    include_prompt: bool = True


class OldPooling:
    """As before version 5: a flag for each way."""

    def __init__(self, *, mean: bool) -> None:
        self.pooling_mode_mean_tokens = mean
        self.pooling_mode_cls_token = not mean
        self.pooling_mode_max_tokens = False
        self.include_prompt = True


class Normalize: ...


class Dense: ...


class Transformer: ...


class Tokenizer:
    is_fast = True

    def __call__(self, text: str, **options: Any) -> dict[str, Any]:
        found = [match.span() for match in regex.finditer(r"\w{1,4}|[^\w\s]", text)]
        special = options["add_special_tokens"]
        if options["truncation"]:
            found = found[: options["max_length"] - 2 * special]
        offsets = [(0, 0), *found, (0, 0)] if special else found
        mask = [start == end for start, end in offsets]
        return {
            "input_ids": [text[start:end].lower() for start, end in offsets],
            "offset_mapping": offsets,
            "special_tokens_mask": mask,
        }


class Double:
    """A SentenceTransformer whose token states are half word, half neighbours."""

    def __init__(self, pooling: Any = None, *behind: Any, seed: int = 0) -> None:
        self.modules = [Transformer(), pooling or Pooling(), *behind]
        self.tokenizer = Tokenizer()
        self.max_seq_length = WINDOW
        self.prompts: dict[str, str] = {}
        self.seed = seed
        self.read: list[str] = []

    def children(self) -> Iterator[Any]:
        return iter(self.modules)

    def state_dict(self) -> dict[str, Tensor]:
        return {"weight": Tensor(np.full((2, 2), self.seed)), "bias": Tensor([1.0])}

    def encode(self, texts: list[str], *, prompt: str, **options: Any) -> Any:
        assert options["show_progress_bar"] is False
        texts = [prompt + text for text in texts]
        self.read += texts
        states = [self._states(text) for text in texts]
        if options.get("output_value") == "token_embeddings":
            return [Tensor(one) for one in states]
        if _mode(self.modules[1]) == "mean":
            rows = [one.mean(axis=0) for one in states]
        else:
            rows = [one[0] for one in states]
        vectors = np.array(rows, np.float32).reshape(len(texts), DIMENSIONS)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    encode_query = encode_document = encode

    def _states(self, text: str) -> Vectors:
        tokens = self.tokenizer(
            text, add_special_tokens=True, truncation=True, max_length=self.max_seq_length
        )
        words = np.array([_direction(token, self.seed) for token in tokens["input_ids"]])
        states: Vectors = (words + words.mean(axis=0)).astype(np.float32)
        return states


def _mode(pooling: Any) -> str:
    if isinstance(pooling, OldPooling):
        return "mean" if pooling.pooling_mode_mean_tokens else "cls"
    mode: str = pooling.pooling_mode
    return mode


def _direction(token: str, seed: int) -> Any:
    number = int.from_bytes(token.encode().rjust(16, b"#"), "big") + seed
    return np.random.default_rng(number).normal(size=DIMENSIONS)


MakeModel = Callable[[str], Any]


@pytest.fixture(scope="module", params=["double", "real"])
def make_model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    if request.param == "double":
        return lambda mode: Double(Pooling(mode))
    made: dict[str, Any] = {}

    def make(mode: str) -> Any:
        if mode not in made:
            folder = tmp_path_factory.mktemp("models") / mode
            save_small_embedder(folder, mode=mode, window=WINDOW)
            made[mode] = SentenceTransformer(str(folder), device="cpu")
        return made[mode]

    return make


@pytest.fixture
def embedder(make_model: MakeModel) -> HuggingFaceEmbedding:
    return HuggingFaceEmbedding(make_model("mean"))


def _own_vectors(model: Any, texts: Sequence[str]) -> Any:
    return model.encode(list(texts), prompt="", normalize_embeddings=True, show_progress_bar=False)


def _spans(
    embedder: HuggingFaceEmbedding, text: str, spans: Sequence[Span]
) -> tuple[Vectors, Vectors]:
    assert embedder.embed_spans is not None
    return embedder.embed_spans([text], [spans])


def test_a_model_that_takes_the_mean_reads_spans(make_model: MakeModel) -> None:
    made = [HuggingFaceEmbedding(make_model(mode)) for mode in ("mean", "cls")]
    late, apart = made
    assert [isinstance(one, SpanEmbedder) for one in made] == [True, False]
    assert isinstance(as_embedder(late), CheckedSpanEmbedder)
    assert isinstance(apart, Embedder)
    assert not isinstance(as_embedder(apart), CheckedSpanEmbedder)
    assert late.dimensions == apart.dimensions == DIMENSIONS


@pytest.mark.parametrize("mode", ["mean", "cls"])
def test_vectors_of_texts_are_those_of_the_model(make_model: MakeModel, mode: str) -> None:
    texts = ["Norr Bridge", "  it was built \n", "", "a ferry, a mill."]
    embedder = HuggingFaceEmbedding(make_model(mode), batch_size=2)
    vectors = embedder.embed(texts)
    np.testing.assert_allclose(
        vectors, _own_vectors(embedder.model, [text.strip() for text in texts]), atol=1e-5
    )
    np.testing.assert_allclose(embedder.embed(texts[::-1])[::-1], vectors, atol=1e-5)
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_a_span_is_the_mean_of_its_token_states(embedder: HuggingFaceEmbedding) -> None:
    """The long way round, for a text that fits the window."""
    text, span = "It was built. So it is.", (0, 13)
    states = embedder.model.encode(
        [text], prompt="", output_value="token_embeddings", show_progress_bar=False
    )[0]
    tokens = embedder.model.tokenizer(
        text,
        add_special_tokens=True,
        truncation=True,
        max_length=WINDOW,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
    )
    inside = [
        row
        for row, ((start, end), special) in enumerate(
            zip(tokens["offset_mapping"], tokens["special_tokens_mask"], strict=True)
        )
        if not special and start < span[1] and end > span[0]
    ]
    mean = states.cpu().numpy()[inside].mean(axis=0)
    _, spans = _spans(embedder, text, [span])
    np.testing.assert_allclose(spans[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_a_span_knows_its_passage(embedder: HuggingFaceEmbedding) -> None:
    _, one = _spans(embedder, "It was built. Norr bridge.", [(0, 13)])
    _, other = _spans(embedder, "It was built. A violin.", [(0, 13)])
    assert not np.allclose(one, other, atol=1e-4)


def test_every_part_of_a_long_text_counts(embedder: HuggingFaceEmbedding) -> None:
    text = PASSAGE * 8
    at = 5 * len(PASSAGE)
    texts, spans = _spans(embedder, text, [(at, at + 40), (at + 41, at + 70), (3, 3)])
    assert spans.shape == (3, DIMENSIONS)
    np.testing.assert_allclose(np.linalg.norm(spans, axis=1), 1.0, atol=1e-5)
    np.testing.assert_array_equal(spans[2], texts[0])
    assert not np.allclose(spans[0], spans[1], atol=1e-4)
    changed = text[:at] + text[at:].replace("Norr", "Vessel").replace("Lind", "Holm")
    assert not np.allclose(embedder.embed([changed])[0], texts[0], atol=1e-5)


def test_each_token_counts_once_however_many_windows_read_it() -> None:
    """With states that do not depend on the window, windows change nothing."""

    class Plain(Double):
        def _states(self, text: str) -> Vectors:
            tokens = self.tokenizer(
                text, add_special_tokens=True, truncation=True, max_length=self.max_seq_length
            )
            return np.array([_direction(token, 0) for token in tokens["input_ids"]], np.float32)

    narrow, wide = Plain(), Plain()
    wide.max_seq_length = 4000
    text = "  " + PASSAGE * 9
    spans = [(0, 40), (100, 333), (2, len(text))]
    for ours, theirs in zip(
        _spans(HuggingFaceEmbedding(narrow), text, spans),
        _spans(HuggingFaceEmbedding(wide), text, spans),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_rows_follow_the_texts(embedder: HuggingFaceEmbedding) -> None:
    assert embedder.embed_spans is not None
    texts = ["A mill.", PASSAGE * 3, "", "Norr Bridge. A ferry."]
    spans: list[list[Span]] = [[(0, 6)], [(0, 40), (41, 70)], [], [(0, 12), (13, 21)]]
    of_texts, of_spans = embedder.embed_spans(texts, spans)
    assert (of_texts.shape, of_spans.shape) == ((4, DIMENSIONS), (5, DIMENSIONS))
    _, alone = embedder.embed_spans(texts[3:], spans[3:])
    np.testing.assert_allclose(of_spans[3:], alone, atol=1e-5)
    nothing = embedder.embed_spans([], [])
    assert [part.shape for part in nothing] == [(0, DIMENSIONS), (0, DIMENSIONS)]


def test_prefixes_are_the_models_own_unless_given() -> None:
    model = Double()
    model.prompts = {"query": "who: ", "passage": "text: ", "document": ""}
    embedder = HuggingFaceEmbedding(model)
    embedder.embed(["mill"], kind="query")
    assert model.read[-1] == "who: mill"
    _spans(embedder, "mill", [(0, 4)])
    assert model.read[-1] == "text: mill"
    given = HuggingFaceEmbedding(model, query_prefix="q: ", document_prefix="")
    given.embed(["mill"], kind="query")
    assert model.read[-1] == "q: mill"
    given.embed(["mill"])
    assert model.read[-1] == "mill"


def test_a_prefix_moves_the_spans(make_model: MakeModel) -> None:
    model = make_model("mean")
    prefixed = HuggingFaceEmbedding(model, document_prefix="passage: ")
    whole = HuggingFaceEmbedding(model)
    _, ours = _spans(prefixed, "Norr Bridge. A ferry.", [(13, 21)])
    _, theirs = _spans(whole, "passage: Norr Bridge. A ferry.", [(22, 30)])
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_the_short_calls_embed_questions_and_passages() -> None:
    model = Double()
    embedder = HuggingFaceEmbedding(model, query_prefix="q: ", document_prefix="p: ")
    assert isinstance(embedder, BaseEmbedding)
    assert len(embedder.embed_text("mill")) == DIMENSIONS
    assert model.read[-1] == "q: mill"
    assert len(embedder.embed_batch(["mill", "ferry"])) == 2
    assert "p: mill" in model.read
    assert embedder.embed_batch([]) == []


def test_prefixes_reach_models_that_get_separate_texts() -> None:
    model = Double(Pooling("cls"))
    HuggingFaceEmbedding(model, query_prefix="q: ").embed(["mill"], kind="query")
    assert model.read[-1] == "q: mill"


def test_the_fingerprint_names_what_makes_the_vectors(make_model: MakeModel) -> None:
    def mark(*arguments: Any, **options: Any) -> str:
        return HuggingFaceEmbedding(*arguments, **options).fingerprint

    model = make_model("mean")
    assert mark(model) == mark(model)
    name, way, digest = mark(model).split("/")
    assert (name, way, len(digest)) == (type(model).__name__, "tokens", 12)
    assert mark(model, late_pooling=False).split("/")[1] == "texts"
    prints = {
        mark(model),
        mark(model, late_pooling=False),
        mark(model, query_prefix="q"),
        mark(model, document_prefix="q"),
        mark(make_model("cls")),
        mark(Double(seed=1)),
        mark(Double(Pooling("cls"), seed=1)),
        mark(Double(Pooling("lasttoken"), seed=1)),
    }
    assert len(prints) == 8


@pytest.mark.parametrize(
    ("pooling", "behind", "late"),
    [
        (Pooling("mean"), (Normalize(),), True),
        (OldPooling(mean=True), (Normalize(),), True),
        (OldPooling(mean=False), (), False),
        (Pooling("lasttoken"), (), False),
        (Pooling(("mean", "max")), (), False),
        (Pooling("mean", include_prompt=False), (), False),
        (Pooling("mean"), (Dense(), Normalize()), False),
    ],
)
def test_spans_are_read_only_where_they_lie_in_the_space_of_texts(
    pooling: Any, behind: tuple[Any, ...], late: bool
) -> None:
    embedder = HuggingFaceEmbedding(Double(pooling, *behind))
    assert (embedder.embed_spans is not None) == late
    assert HuggingFaceEmbedding(Double(), late_pooling=False).embed_spans is None


def test_without_offsets_there_are_no_spans() -> None:
    slow, lower = Double(), Double()
    slow.tokenizer.is_fast = False
    lower.modules[0].do_lower_case = True
    assert HuggingFaceEmbedding(slow).embed_spans is None
    assert HuggingFaceEmbedding(lower).embed_spans is None


def test_states_that_do_not_fit_the_tokens_are_named() -> None:
    model = Double()
    embedder = HuggingFaceEmbedding(model)
    model.max_seq_length = 5
    model.encode_document = model.encode  # type: ignore[method-assign]
    embedder.model._states = lambda _: np.ones((3, DIMENSIONS), np.float32)
    with pytest.raises(EmbeddingError, match=r"3 token states for .*late_pooling=False"):
        embedder.embed(["Norr Bridge was built."])


class Library(ModuleType):
    """The library as far as it is asked: a class that loads a model by its name."""

    def __init__(self) -> None:
        super().__init__("sentence_transformers")
        self.loaded: list[tuple[str, Any]] = []
        self.models: list[Double] = []

    def SentenceTransformer(self, name: str, *, device: str | None) -> Double:
        self.loaded.append((name, device))
        if "none" in name:
            raise OSError(f"{name} is not a local folder and is not a valid model identifier")
        self.models.append(Double())
        return self.models[-1]


def test_a_name_is_loaded_once_and_its_last_part_is_in_the_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    library = Library()
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    embedder = default_embedder(ClewConfig(embedding_model="sentence-transformers/LaBSE"))
    assert embedder is not None
    assert embedder.fingerprint.startswith("LaBSE/tokens/")
    (tmp_path / "mine").mkdir()
    config = ClewConfig(embedding_model=str(tmp_path / "mine"), embedding_query_prefix="q: ")
    mine = default_embedder(config)
    assert mine is not None
    assert mine.fingerprint.startswith("mine/tokens/")
    assert mine.fingerprint.split("/")[2] == embedder.fingerprint.split("/")[2]
    assert library.loaded == [
        ("sentence-transformers/LaBSE", None),
        (str(tmp_path / "mine"), None),
    ]


def test_prefixes_of_the_configuration_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    config = ClewConfig(
        embedding_model="org/model",
        embedding_query_prefix="q: ",
        embedding_document_prefix="p: ",
    )
    embedder = default_embedder(config)
    assert embedder is not None
    embedder.embed(["mill"], kind="query")
    embedder.embed(["mill"])
    assert library.models[-1].read[-2:] == ["q: mill", "p: mill"]


def test_the_usual_model_and_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    HuggingFaceEmbedding()
    HuggingFaceEmbedding("org/large", device="cuda")
    assert library.loaded == [("BAAI/bge-small-en-v1.5", None), ("org/large", "cuda")]


def test_a_model_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", Library())
    with pytest.raises(MissingModelError, match=r"embedder 'org/none' cannot be loaded: OSError"):
        HuggingFaceEmbedding("org/none")
    with pytest.raises(MissingModelError, match=r"embedding_model=.*no such folder"):
        default_embedder(ClewConfig(embedding_model=str(tmp_path / "gone")))


def test_without_the_package_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[sentence-transformers\]'"):
        default_embedder(ClewConfig(embedding_model="BAAI/bge-small-en-v1.5"))


def test_a_folder_of_the_library_serves_a_knowledge_base(tmp_path: Path) -> None:
    """The vectors of units are pooled out of their passage; another model is not mixed in."""
    text = PASSAGE.strip()
    folder = save_small_embedder(tmp_path / "small")
    config = ClewConfig(embedding_model=str(folder))
    with KnowledgeBase.open(tmp_path / "kb", config=config) as kb:
        kb.ingest_text(text, name="bridge.txt")
        assert "Sund Ironworks" in kb.search("Who built Norr Bridge?").items[0].content
        (document,) = kb.store.list_documents()
        stored = kb.store.load_document(document.id)
    assert stored is not None
    assert stored.unit_vectors is not None
    places = [(unit.start, unit.end) for unit in stored.units]
    assert len(places) == 2
    _, spans = _spans(HuggingFaceEmbedding(str(folder)), text, places)
    np.testing.assert_allclose(stored.unit_vectors, spans, atol=1e-3)
    other = save_small_embedder(tmp_path / "other", mode="cls")
    config = ClewConfig(embedding_model=str(other))
    with (
        KnowledgeBase.open(tmp_path / "kb", config=config) as kb,
        pytest.raises(FingerprintMismatchError, match=r"'small/tokens.*'other/texts"),
    ):
        kb.ingest_text("A mill.", name="mill.txt")


def test_a_quiet_command_draws_no_bar_of_the_library(tmp_path: Path) -> None:
    """Nor does anything of it get into what the command prints."""
    folder = save_small_embedder(tmp_path / "small")
    note = tmp_path / "note.txt"
    note.write_text(PASSAGE, encoding="utf-8")
    command = [sys.executable, "-m", "clew", "--store", str(tmp_path / "kb"), "--json", "--quiet"]
    command += ["--set", f"embedding_model={folder}", "ingest", str(note)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert json.loads(done.stdout)["documents"][0]["knowledge_units"] == 2


def test_ranges_of_tokens_that_share_a_character() -> None:
    """What byte-level tokenizers give for one character of several tokens."""
    offsets = np.array([(0, 1), (0, 1), (1, 4)])
    assert token_ranges([(0, 1), (1, 4)], offsets) == [(0, 2), (2, 3)]


class Asymmetric(Double):
    """A model with two ways to encode; it tells which was taken, and with what batches."""

    def encode_query(self, texts: list[str], **options: Any) -> Any:
        self.read.append(f"query by {options['batch_size']}")
        return self.encode(texts, **options)

    def encode_document(self, texts: list[str], **options: Any) -> Any:
        self.read.append(f"document by {options['batch_size']}")
        return self.encode(texts, **options)


def test_questions_and_passages_are_encoded_each_in_the_way_of_the_model() -> None:
    model = Asymmetric()
    embedder = HuggingFaceEmbedding(model, batch_size=7, late_pooling=False)
    for kind in ("query", "document"):
        model.read.clear()
        embedder.embed([PASSAGE], kind=kind)
        assert model.read == [f"{kind} by 7", PASSAGE]


def test_token_states_are_read_in_batches_of_the_size_given() -> None:
    class Counting(Double):
        def encode(self, texts: list[str], **options: Any) -> Any:
            sizes.append(options.get("batch_size", 7))
            return super().encode(texts, **options)

    sizes: list[int] = []
    embedder = HuggingFaceEmbedding(Counting(), batch_size=7)
    sizes.clear()
    embedder.embed([PASSAGE, "a"])
    assert set(sizes) == {7}
