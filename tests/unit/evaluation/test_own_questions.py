"""Questions of a user's own: what is read, and what a message says of a line that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import BrokenDocumentError, DatasetNotFoundError
from clew.evaluation.own_questions import load_questions


def _file(folder: Path, text: str, name: str = "q.jsonl") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_json_lines(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        '\ufeff{"question": " Who lit it? ", "answers": ["Oda", "Oda Krog"], "doc_ids": "a.txt"}\n'
        "\n"
        '{"question": "Why?", "answerable": false, "id": "w", "note": "mine"}\n'
        '{"question": "How many?", "answer": 7, "answer_aliases": ["seven"],'
        ' "supporting_ids": ["b", "b"]}\n',
    )
    first, second, third = load_questions(file)
    assert (first.id, first.question, first.answers) == ("1", "Who lit it?", ("Oda", "Oda Krog"))
    assert first.doc_ids == ("a.txt",)
    assert first.answerable
    assert (second.id, second.answerable) == ("w", False)
    assert second.place == f"{file}: line 3"
    assert (third.answers, third.doc_ids) == (("7", "seven"), ("b",))


def test_csv_with_lists_quotes_and_line_ends(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        "question,answers,doc_ids,answerable\r\n"
        '"Who lit it,\nand when?",Oda Krog | O. Krog,light.txt|krog.txt,\r\n'
        "Who?,,,no\r\n",
        "q.csv",
    )
    first, second = load_questions(file)
    assert first.question == "Who lit it,\nand when?"
    assert first.answers == ("Oda Krog", "O. Krog")
    assert first.doc_ids == ("light.txt", "krog.txt")
    assert (second.answerable, second.place) == (False, f"{file}: line 4")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no question in it"),
        ('{"question": "Who?", "answers": ["x"]}\n{oops', "line 2 is not JSON"),
        ("[1]", "line 1 is list, not an object"),
        ('{"question": ""}', "line 1 needs 'question'"),
        ('{"question": "Who?"}', "needs 'answers' or 'doc_ids'"),
        ('{"question": "Who?", "anwsers": ["x"]}', "unknown key 'anwsers'"),
        ('{"question": "Who?", "answers": [{}]}', "'answers' must be a text"),
        ('{"question": "Who?", "answers": [" "]}', "'answers' must be a text"),
        ('{"question": "Who?", "answerable": "perhaps"}', "must be true or false"),
        (
            '{"question": "Who?", "answer": "x", "id": 1}\n{"question": "A", "id": 1, "answer": 2}',
            "line 2: the id '1' stands already",
        ),
    ],
)
def test_what_is_no_question_is_named_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BrokenDocumentError) as caught:
        load_questions(_file(tmp_path, text))
    assert said in str(caught.value)
    assert "q.jsonl" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ask,answers\nWho?,x\n", "'question' among them"),
        ("question,answers\nWho?,x,y\n", "line 2 has 3 cells for 2 columns"),
        ('question,answers\n"Who?,x\n', "line 2"),
        ("question,answers\nWho?\n", "line 2: a question that can be answered needs"),
    ],
)
def test_broken_csv_is_named_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BrokenDocumentError, match=said.replace("?", r"\?")):
        load_questions(_file(tmp_path, text, "q.csv"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DatasetNotFoundError, match=r"nowhere\.jsonl"):
        load_questions(tmp_path / "nowhere.jsonl")
    (tmp_path / "q.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BrokenDocumentError, match="UTF-8"):
        load_questions(tmp_path / "q.jsonl")
