"""``clew bench``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli import main
from clew.models import default
from clew.testing import FakeEmbedder

PASSAGES = {
    "Norr Works": "Norr Works is a firm. It was set up by Greta Lind.",
    "Greta Lind": "Greta Lind was an engineer, born in Arlo.",
    "Arlo": "Arlo is a town with a harbour.",
    "Vik Mills": "Vik Mills is a firm. It was set up by Olav Moe.",
    "Olav Moe": "Olav Moe was an engineer, born in Brekke.",
    "Brekke": "Brekke is a town with two mills.",
}
QUESTIONS = {
    "Where was the engineer born who set up Norr Works?": ["Norr Works", "Greta Lind"],
    "Where was the engineer born who set up Vik Mills?": ["Vik Mills", "Olav Moe"],
}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with the set ``tune/firms``, an embedder of words, and no variables."""
    place = tmp_path / "data" / "tune" / "firms"
    place.mkdir(parents=True)
    passages = [{"id": title, "title": title, "text": text} for title, text in PASSAGES.items()]
    questions = [
        {"id": f"q{number}", "question": question, "supporting_ids": wanted, "type": "bridge"}
        for number, (question, wanted) in enumerate(QUESTIONS.items())
    ]
    for name, lines in (("corpus", passages), ("questions", questions)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (place / f"{name}.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setattr(default, "default_embedder", _embedder)
    monkeypatch.setenv("CLEW_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return place


def _embedder(config: Any) -> FakeEmbedder | None:
    return None if config.embedding_model == "none" else FakeEmbedder()


def _run(
    capfd: pytest.CaptureFixture[str], *arguments: str, command: str = "multihop"
) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["bench", command, *arguments])
    out, err = capfd.readouterr()
    return int(str(ended.value.code)), out, err


def test_tables_for_people(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _run(capfd, "tune/firms", "--methods", "linked,bm25", "--ablate", "links")
    assert status == 0
    lines = [line.split("  ")[0] for line in out.splitlines()]
    assert lines[0] == "tune/firms: 2 questions, 6 passages"
    for name in ("linked", "bm25", "linked − links", "bridge", "chunk", "whole"):
        assert name in lines


def test_reports_for_programs_and_as_files(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = _run(
        capfd, "tune/firms", "--methods", "linked,dense", "--hide-titles", "--json", "--out", "r",
    )  # fmt: skip
    assert (status, err) == (0, "")
    (found,) = json.loads(out)["reports"]
    assert found == json.loads(Path("r/tune-firms-no-titles.json").read_text(encoding="utf-8"))
    assert list(found["systems"]) == ["linked", "dense"]
    assert found["systems"]["linked"]["recall@5"] == 100.0
    assert found["differences"]["dense"]["linked"]["mean"] <= 0.0


def test_a_folder_of_ones_own_questions(capfd: pytest.CaptureFixture[str], data: Path) -> None:
    data.rename("mine")
    status, out, _ = _run(
        capfd, "mine", "--methods", "linked", "--limit", "1", "--json", "--backend", "sqlite",
        "--concatenate", "--shuffle",
    )  # fmt: skip
    (found,) = json.loads(out)["reports"]
    assert status == 0
    assert found["form"] == ["shuffled", "concatenated"]
    assert found["questions"] == 1
    assert found["index"]["disk_mb"] > 0.0


def test_words_alone_leave_out_what_needs_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--set", "embedding_model=none")
    status, out, err = _run(capfd, "tune/firms", "--json", *words)
    (found,) = json.loads(out)["reports"]
    assert status == 0
    assert "words alone" in err
    assert found["embedder"] == "none"
    assert {"linked", "bm25"} <= set(found["systems"])
    assert "dense" not in found["systems"]
    status, _, err = _run(capfd, "tune/firms", "--methods", "dense", *words)
    assert status == 2
    assert "no vectors for dense" in err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["tune/farms"], 1, "holds tune/firms"),
        (["tune/farms"], 1, "https://github.com/Alab-NII/2wikimultihop"),
        (["tune/firms", "--data", "nowhere"], 1, "no corpus.jsonl in nowhere"),
        (["tune/firms", "--distractors"], 1, "the set has no extra passages"),
        (["tune/firms", "--methods", "linkd"], 2, "did you mean 'linked'"),
        (["tune/firms", "--ablate", "shared"], 2, "did you mean 'shared_link'"),
        (["tune/firms", "--limit", "0"], 2, "--limit"),
        ([], 2, "SETS"),
    ],
)
def test_what_cannot_be_measured_is_said_with_the_remedy(
    capfd: pytest.CaptureFixture[str], arguments: list[str], status: int, message: str
) -> None:
    found, out, err = _run(capfd, *arguments)
    assert (found, out) == (status, "")
    assert message.casefold() in err.casefold()


def test_all_sets_are_read_before_the_first_is_measured(
    capfd: pytest.CaptureFixture[str], data: Path
) -> None:
    (data / "questions.jsonl").write_text('{"id": "q", "question": "?"}\n', encoding="utf-8")
    data.parent.joinpath("sound").mkdir()
    for name, text in (
        ("corpus", '{"id": "a", "text": "Arlo is a town."}\n'),
        ("questions", '{"id": "q", "question": "Arlo?", "supporting_ids": ["a"]}\n'),
    ):
        (data.parent / "sound" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    status, out, err = _run(capfd, "tune/sound", "tune/firms")
    assert (status, out) == (1, "")
    assert "questions.jsonl: line 1 needs 'supporting_ids'" in err


def test_what_was_fitted_is_written_and_can_be_measured(
    capfd: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = _run(capfd, "tune/firms", "--out", "w.json", command="fit")
    assert status == 0
    assert "written to w.json" in out
    assert "tune/firms  fitted on  100.0" in out
    written = json.loads(Path("w.json").read_text(encoding="utf-8"))
    assert written["embedder"] == FakeEmbedder().fingerprint
    assert written["fitted_on"] == ["tune/firms"]
    status, out, _ = _run(
        capfd, "tune/firms", "--methods", "bm25", "--weights", "w.json", "--json"
    )  # fmt: skip
    (found,) = json.loads(out)["reports"]
    assert status == 0
    assert set(found["systems"]) == {"linked", "bm25", "linked, fitted"}
    assert found["systems"]["linked, fitted"]["recall@5"] == 100.0


def test_a_held_out_set_is_scored_and_not_fitted_on(
    capfd: pytest.CaptureFixture[str], data: Path
) -> None:
    copied = data.with_name("others")
    copied.mkdir()
    for file in data.iterdir():
        (copied / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    status, out, _ = _run(
        capfd, "tune/firms", "--hold-out", "tune/others", "--json", command="fit"
    )  # fmt: skip
    found = json.loads(out)
    assert status == 0
    assert found["held_out"] == ["tune/others"]
    assert set(found["after"]) == {"tune/firms", "tune/others"}
    assert "weights" in json.loads(Path(found["path"]).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eval/firms"], "'eval/firms' is a test set"),
        (["tune/firms", "--hold-out", "eval/firms"], "'eval/firms' is a test set"),
        (["tune/firms", "--hold-out", "tune/firms"], "named twice"),
    ],
)
def test_test_sets_are_refused(
    capfd: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = _run(capfd, *arguments, command="fit")
    assert (status, out) == (2, "")
    assert message in err
    assert not Path("weights.json").exists()


def test_weights_that_are_not_there_are_said_before_anything_is_measured(
    capfd: pytest.CaptureFixture[str],
) -> None:
    status, out, err = _run(capfd, "tune/firms", "--weights", "w.json")
    assert (status, out) == (2, "")
    assert "`clew bench fit` writes them" in err
