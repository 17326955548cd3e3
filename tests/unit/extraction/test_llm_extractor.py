"""The method that asks a model, against models that misbehave in every way seen so far."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.llm import LLMExtractor
from clew.extraction.splitting import apart
from clew.extraction.unit_replies import UnitReply
from clew.models.base import Usage
from clew.records import Chunk, Document
from clew.testing import ScriptedLLM

SENTENCES = [
    "Ida Holm built the Norr Bridge in 1931.",
    "Karl Strand kept the lighthouse at Tamsund.",
    "The Vessel river flows past Tamsund.",
    "Otto Brand rang the bell in 1940.",
    "Anna Roe wrote the Ledger of Salt.",
]
FACTS: list[dict[str, Any]] = [
    {"text": text, "entities": [{"name": name, "type": "PERSON"}]}
    for text, name in zip(
        SENTENCES, ["Ida Holm", "Karl Strand", "Vessel", "Otto Brand", "Anna Roe"], strict=True
    )
]
CLEAN = json.dumps({"units": FACTS})


def _document(text: str, name: str = "a", title: str = "") -> Document:
    return make_document(text, doc_id=name, title=title)


def _chunks(document: Document, **settings: Any) -> Sequence[Chunk]:
    return chunk_document(document, ClewConfig(**settings))


def _extract(
    llm: Any, *documents: Document, config: ClewConfig | None = None, **options: Any
) -> list[Extraction]:
    config = config or ClewConfig()
    pairs = [(document, chunk_document(document, config)) for document in documents]
    extractions = LLMExtractor(llm, config, **options).extract(pairs)
    for (document, chunks), extraction in zip(pairs, extractions, strict=True):
        _check(document, chunks, extraction)
    return extractions


def _check(document: Document, chunks: Sequence[Chunk], extraction: Extraction) -> None:
    """What holds for every extraction, whatever the model said."""
    ids = [unit.id for unit in extraction.units]
    assert len(set(ids)) == len(ids)
    places = [(unit.start, unit.end) for unit in extraction.units]
    assert places == sorted(places)
    by_id = {chunk.id: chunk for chunk in chunks}
    for unit in extraction.units:
        assert unit.chunk_id in by_id
        assert by_id[unit.chunk_id].start <= unit.start < by_id[unit.chunk_id].end
        if unit.verbatim:
            assert document.text[unit.start : unit.end] == unit.text
    entities = {entity.id for entity in extraction.entities}
    assert {mention.entity_id for mention in extraction.mentions} <= entities
    assert {mention.unit_id for mention in extraction.mentions} <= set(ids)


class Memory:
    """The two methods of a store that keep replies."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.by_document: dict[str, set[str]] = {}

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        self.kept |= replies
        self.by_document.setdefault(document_id, set()).update(replies)

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self.kept[key] for key in keys if key in self.kept}

    @property
    def options(self) -> dict[str, Any]:
        return {"remember": self.remember, "remembered": self.remembered}


REPLIES = {
    "a": f"Here is what it says:\n```json\n{CLEAN}\n```",
    "b": json.dumps(FACTS),
    "d": CLEAN.replace("}]", "},]").replace("]}", "],}"),
    "e closed": f'<think>Perhaps {{"units": []}}?</think>{CLEAN}',
    "e open": f"<think>Let me see. {CLEAN}",
    "f": repr({"units": FACTS, "note": None}),
    "i": json.dumps({"units": [fact | {"entities": "Ida Holm, Tamsund"} for fact in FACTS]}),
}


@pytest.mark.parametrize("case", REPLIES)
def test_replies_that_are_not_clean_give_all_five(case: str) -> None:
    document = _document(" ".join(SENTENCES))
    [extraction] = _extract(ScriptedLLM([(".", REPLIES[case])]), document)
    assert [unit.text for unit in extraction.units] == SENTENCES
    assert all(unit.origin == "llm" and not unit.degraded for unit in extraction.units)
    assert extraction.problems == ()
    assert extraction.ungrounded == 0
    assert "Ida Holm" in {entity.name for entity in extraction.entities}


def test_a_reply_cut_off_in_the_fourth_gives_three_and_a_problem() -> None:
    cut = CLEAN[: CLEAN.index("Otto Brand") + 5]
    [extraction] = _extract(ScriptedLLM([(".", cut)]), _document(" ".join(SENTENCES)))
    assert [unit.text for unit in extraction.units] == SENTENCES[:3]
    assert len(extraction.problems) == 1
    assert extraction.problems[0].startswith("chunk 0: the reply was cut off; 3 whole statements")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("  ", "the reply is empty"),
        ("The passage is about a bridge [and more].", "the reply holds no JSON"),
        ('{"units": []}', "the reply holds no statement"),
        (TimeoutError("too slow"), "too slow"),
        (TimeoutError(), "TimeoutError"),
        ('{"units": ["Zed Mercer lives in Quell."]}', "bears out nothing"),
    ],
)
def test_nothing_to_take_falls_back_to_sentences(reply: Any, reason: str) -> None:
    [extraction] = _extract(ScriptedLLM([(".", reply)]), _document(" ".join(SENTENCES)))
    assert [unit.text for unit in extraction.units] == SENTENCES
    assert all(unit.degraded and unit.origin == "sentence" for unit in extraction.units)
    assert len(extraction.problems) == 1
    assert reason in extraction.problems[0]
    assert {"Ida Holm", "Tamsund"} <= {entity.name for entity in extraction.entities}


@pytest.mark.parametrize("reply", ['{"units": []}', '{"units": ["Zed Mercer lives in Quell."]}'])
def test_of_a_reply_that_is_kept_it_is_said_how_to_ask_anew(reply: str) -> None:
    [extraction] = _extract(ScriptedLLM([(".", reply)]), _document(SENTENCES[0]))
    assert "llm_cache=false asks anew" in extraction.problems[0]
    [unread] = _extract(ScriptedLLM([(".", "prose")]), _document(SENTENCES[0]))
    assert "llm_cache" not in unread.problems[0]


def test_json_that_lists_nothing_is_shown_again() -> None:
    llm = ScriptedLLM([(".", ['{"answer": 7}', CLEAN])])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES)))
    assert len(llm.calls) == 2
    assert not extraction.problems


def test_a_small_context_is_told_what_to_change() -> None:
    [extraction] = _extract(ScriptedLLM([(".", "")]), _document(SENTENCES[0]))
    assert "smaller chunk_size" in extraction.problems[0]


def test_examples_of_the_prompt_are_dropped_and_counted() -> None:
    reply = {
        "units": [
            SENTENCES[0],
            {"text": "Karl Strand looked after the Tamsund lighthouse.", "entities": []},
            {"text": "Zed Mercer lives in Quell.", "entities": ["Zed Mercer", "Quell"]},
        ]
    }
    [extraction] = _extract(ScriptedLLM([(".", json.dumps(reply))]), _document(" ".join(SENTENCES)))
    assert [unit.text for unit in extraction.units] == [
        SENTENCES[0],
        "Karl Strand looked after the Tamsund lighthouse.",
    ]
    assert extraction.ungrounded == 1
    assert extraction.problems == ()


def test_entities_that_occur_nowhere_are_dropped_alone() -> None:
    reply = {"units": [{"text": SENTENCES[0], "entities": ["Ida Holm", "Quell"]}]}
    config = ClewConfig(entity_extraction_method="llm")
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(SENTENCES[0]), config=config)
    assert [mention.surface for mention in extraction.mentions] == ["Ida Holm"]
    assert extraction.ungrounded == 0


def test_what_the_rules_know_by_another_name_stands_beside_what_the_model_names() -> None:
    statement = "The Norr Bridge was built by Ida Holm."
    reply = {"units": [{"text": statement, "entities": [["Ida Holm", "PERSON"], ["bridge"]]}]}
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(SENTENCES[0]))
    surfaces = [mention.surface for mention in extraction.mentions]
    assert sorted(surfaces) == ["Bridge", "Ida Holm", "Norr Bridge"]


def test_a_rewritten_unit_keeps_the_span_it_came_from() -> None:
    text = "The Norr Bridge crosses the Vessel. It was built in 1931 by Ida Holm. Bread is baked."
    reply = {"units": [{"text": "The Norr Bridge was built in 1931 by Ida Holm."}]}
    [extraction] = _extract(ScriptedLLM([(".", json.dumps(reply))]), _document(text))
    [unit] = extraction.units
    assert not unit.verbatim
    assert text[unit.start : unit.end] == "It was built in 1931 by Ida Holm."


def test_a_unit_of_two_sentences_spans_both_and_one_of_none_the_chunk() -> None:
    text = "Ida Holm came to Tamsund. She drew a bridge of iron. Bread is baked on Fridays there."
    units = [
        "Ida Holm came to Tamsund and drew a bridge of iron.",
        "Tamsund stayed otherwise quiet, poor, remote and rather small.",
        "Ida Holm drew an iron bridge.",
    ]
    [extraction] = _extract(ScriptedLLM([(".", json.dumps({"units": units}))]), _document(text))
    spans = {unit.text: text[unit.start : unit.end] for unit in extraction.units}
    assert spans[units[0]] == "Ida Holm came to Tamsund. She drew a bridge of iron."
    assert spans[units[1]] == text
    assert spans[units[2]] == "She drew a bridge of iron."


def test_a_paragraph_given_back_whole_is_taken_apart() -> None:
    reply = {
        "units": [
            {
                "text": " ".join(SENTENCES[:3]),
                "entities": ["Ida Holm", "Karl Strand"],
                "facts": [["Karl Strand", "kept", "lighthouse"], ["Ida Holm", "built", "bridge"]],
            }
        ]
    }
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES[:3])))
    assert [unit.text for unit in extraction.units] == SENTENCES[:3]
    by_id = {unit.id: unit.text for unit in extraction.units}
    assert {fact.subject: by_id[fact.unit_id] for fact in extraction.facts} == {
        "Ida Holm": SENTENCES[0],
        "Karl Strand": SENTENCES[1],
    }


@pytest.mark.parametrize("text", ["He said no. Yes.", "Dr. Holm came.", "Ida met Otto. ", "One"])
def test_what_is_one_sentence_stays_one(text: str) -> None:
    assert len(apart(UnitReply(text=text))) == 1


def test_where_the_model_passes_over_most_of_a_chunk_its_sentences_stay() -> None:
    llm = ScriptedLLM([(".", json.dumps({"units": ["Tamsund", SENTENCES[0]]}))])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES)))
    assert {unit.text for unit in extraction.units if unit.origin == "sentence"} == {*SENTENCES[1:]}
    assert not any(unit.degraded for unit in extraction.units)
    assert extraction.problems == ()


def test_where_it_says_enough_nothing_is_added() -> None:
    llm = ScriptedLLM([(".", json.dumps({"units": SENTENCES[:2]}))])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES)))
    assert [unit.text for unit in extraction.units] == SENTENCES[:2]


def test_line_ends_inside_a_sentence_leave_it_verbatim() -> None:
    text = "Ida Holm built\nthe Norr Bridge."
    reply = {"units": ["Ida Holm built the Norr Bridge."]}
    [extraction] = _extract(ScriptedLLM([(".", json.dumps(reply))]), _document(text))
    assert extraction.units[0].text == text
    assert extraction.units[0].verbatim


def test_what_is_written_over_several_lines_has_the_span_of_all_of_them() -> None:
    rows = [f"| Tarn {number} | Halden | {number} m |" for number in range(10, 17)]
    text = "\n".join(
        ["Lakes and their depths.", "", "| lake | town | depth |", "|---|---|---|", *rows]
    )
    clause = "Ida Holm drew the bridge and Otto Brand built it"
    text = f"{text}\n\n{clause.replace(' built', chr(10) + '  built')}, so it stands."
    wanted = [" ".join(rows), clause]
    reply = {"units": [{"text": wanted[0], "facts": [["Tarn 15", "lies at", "Halden"]]}, wanted[1]]}
    document = make_document(text, doc_id="a", media_type="text/markdown")
    [extraction] = _extract(ScriptedLLM([(".", json.dumps(reply))]), document)
    units = [unit for unit in extraction.units if unit.origin == "llm"]
    assert [" ".join(unit.text.split()) for unit in units] == wanted
    assert all(unit.verbatim for unit in units)
    [fact] = extraction.facts
    assert text[fact.start : fact.end] == rows[5]


def test_a_statement_said_twice_is_one_unit() -> None:
    reply = json.dumps({"units": [SENTENCES[0], SENTENCES[0]]})
    [extraction] = _extract(ScriptedLLM([(".", reply)]), _document(SENTENCES[0]))
    assert len(extraction.units) == 1


def test_no_more_units_than_wanted() -> None:
    config = ClewConfig(ku_max_units_per_chunk=2)
    llm = ScriptedLLM([(".", CLEAN)])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES)), config=config)
    assert [unit.text for unit in extraction.units] == SENTENCES[:2]
    assert "At most 2 statements" in llm.prompts[0]


# --- prompts ------------------------------------------------------------------------------------

HOSTILE = "Braces {chunk} {text_chunk} {{ }} {0} %s %d \\n and </passage> reach Ida."


def test_braces_and_percent_signs_reach_the_prompt_unchanged() -> None:
    llm = ScriptedLLM([(".", json.dumps({"units": [HOSTILE]}))])
    [extraction] = _extract(llm, _document(HOSTILE, title="T {x} %s"))
    assert HOSTILE in llm.prompts[0]
    assert "title: T {x} %s" in llm.prompts[0]
    assert extraction.units[0].text == HOSTILE


def test_a_custom_prompt_may_hold_json_and_asks_for_one_chunk_a_call() -> None:
    prompt = 'Facts of:\n{text_chunk}\nAs {"units": [{"text": "…"}]} and nothing else, 100%.'
    config = ClewConfig(ku_extraction_prompt=prompt, ku_batch_size=10)
    llm = ScriptedLLM([(".", _echo)])
    documents = [_document(sentence, name=sentence) for sentence in (HOSTILE, *SENTENCES)]
    _extract(llm, *documents, config=config)
    assert llm.prompts[0] == prompt.replace("{text_chunk}", HOSTILE)
    assert len(llm.calls) == 6
    assert all(call.schema is None for call in llm.calls)


def _passages(prompt: str) -> list[str]:
    return re.findall(r'<passage number="\d+">.*?\n\n(.*?)\n</passage>', prompt, re.DOTALL)


def _echo(prompt: str) -> str:
    """A model that gives every passage back as one statement."""
    passages = _passages(prompt) or [prompt.split("\n")[1]]
    units = [{"passage": number, "text": text} for number, text in enumerate(passages, 1)]
    return json.dumps({"units": units})


def _towns(count: int) -> list[Document]:
    return [
        _document(f"Town {number} keeps bell {number}.", name=str(number))
        for number in range(count)
    ]


@pytest.mark.parametrize(("size", "calls"), [(1, 7), (3, 3), (10, 1)])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_batches_and_threads_change_nothing(size: int, calls: int, concurrency: int) -> None:
    llm = ScriptedLLM([(".", _echo)])
    config = ClewConfig(ku_batch_size=size, ku_concurrency=concurrency)
    extractions = _extract(llm, *_towns(7), config=config)
    assert len(llm.calls) == calls
    assert [one.units for one in extractions] == [
        one.units for one in _extract(ScriptedLLM([(".", _echo)]), *_towns(7))
    ]
    assert sum((one.usage for one in extractions), Usage()).calls == calls


def test_statements_without_a_passage_number_go_where_their_words_are() -> None:
    def unnumbered(prompt: str) -> str:
        return json.dumps({"units": _passages(prompt)[::-1]})

    extractions = _extract(ScriptedLLM([(".", unnumbered)]), *_towns(4))
    assert [[unit.text for unit in one.units] for one in extractions] == [
        [f"Town {number} keeps bell {number}."] for number in range(4)
    ]


def _but(marked: str, reply: str | Exception) -> Callable[[str], str]:
    def answer(prompt: str) -> str:
        if f"{marked}\n</passage>" in prompt:
            if isinstance(reply, Exception):
                raise reply
            return reply
        return _echo(prompt)

    return answer


def test_one_poisoned_chunk_costs_the_others_nothing() -> None:
    memory = Memory()
    towns = _towns(12)
    poison = _but("bell 7.", RuntimeError("HTTP 500"))
    llm = ScriptedLLM([(".", poison)])
    extractions = _extract(llm, *towns, **memory.options)
    assert [one.problems for one in extractions] == [
        ("chunk 0: HTTP 500",) if number == 7 else () for number in range(12)
    ]
    assert [one.units[0].degraded for one in extractions] == [number == 7 for number in range(12)]
    again = ScriptedLLM([(".", _echo)])
    healed = _extract(again, *towns, **memory.options)
    assert len(again.calls) == 1
    assert _passages(again.prompts[0]) == ["Town 7 keeps bell 7."]
    assert not any(one.problems for one in healed)
    assert not any(unit.degraded for one in healed for unit in one.units)


def test_what_a_batch_leaves_open_is_asked_for_alone() -> None:
    def forgetful(prompt: str) -> str:
        units = json.loads(_echo(prompt))["units"]
        return json.dumps({"units": units[:2]})

    llm = ScriptedLLM([(".", forgetful)])
    extractions = _extract(llm, *_towns(4))
    assert not any(one.problems for one in extractions)
    assert [len(_passages(prompt)) for prompt in llm.prompts] == [4, 1, 1]


def test_a_batch_that_is_cut_off_is_finished_one_by_one() -> None:
    def short(prompt: str) -> str:
        return _echo(prompt)[:110] if len(_passages(prompt)) > 1 else _echo(prompt)

    llm = ScriptedLLM([(".", short)])
    extractions = _extract(llm, *_towns(4))
    assert not any(one.problems for one in extractions)
    assert [len(_passages(prompt)) for prompt in llm.prompts] == [4, 1, 1, 1]


# --- memory -------------------------------------------------------------------------------------


def test_nothing_is_paid_for_twice() -> None:
    memory = Memory()
    towns = _towns(5)
    first = _extract(ScriptedLLM([(".", _echo)]), *towns, **memory.options)
    silent = ScriptedLLM([])
    again = _extract(silent, *towns, **memory.options)
    assert silent.calls == []
    assert [one.units for one in again] == [one.units for one in first]
    assert [one.entities for one in again] == [one.entities for one in first]
    for town, extraction in zip(towns, again, strict=True):
        assert set(extraction.reply_keys) == memory.by_document[town.id]
        assert extraction.usage == Usage()


def test_another_model_another_prompt_or_title_is_another_question() -> None:
    memory = Memory()
    town = _document(SENTENCES[0])
    _extract(ScriptedLLM([(".", _echo)]), town, **memory.options)
    other = ScriptedLLM([(".", _echo)], fingerprint="other")
    _extract(other, town, **memory.options)
    titled = ScriptedLLM([(".", _echo)])
    _extract(titled, _document(SENTENCES[0], title="Bridges"), **memory.options)
    assert (len(other.calls), len(titled.calls)) == (1, 1)


def test_a_reply_is_kept_before_the_next_call_begins() -> None:
    memory = Memory()

    def die_at_third(prompt: str) -> str:
        if len(memory.kept) == 2:
            raise KeyboardInterrupt
        return _echo(prompt)

    with pytest.raises(KeyboardInterrupt):
        _extract(
            ScriptedLLM([(".", die_at_third)]),
            *_towns(5),
            config=ClewConfig(ku_batch_size=1),
            **memory.options,
        )
    assert len(memory.kept) == 2
    rest = ScriptedLLM([(".", _echo)])
    _extract(rest, *_towns(5), config=ClewConfig(ku_batch_size=1), **memory.options)
    assert len(rest.calls) == 3


def test_equal_chunks_are_asked_for_once_and_remembered_for_both() -> None:
    memory = Memory()
    twins = [_document(SENTENCES[0], name="a"), _document(SENTENCES[0], name="b")]
    llm = ScriptedLLM([(".", _echo)])
    first, second = _extract(llm, *twins, **memory.options)
    assert len(llm.calls) == 1
    assert first.reply_keys == second.reply_keys
    assert memory.by_document[twins[0].id] == memory.by_document[twins[1].id]
    assert first.units[0].id != second.units[0].id


def test_who_goes_on_asks_what_would_have_been_asked() -> None:
    """Not with other passages beside it: a reply that is kept whole is found by its prompt."""
    memory = Memory()
    texts = [" ".join(f"Town {at}x{part} keeps bell {part}." for part in range(300)) for at in "ab"]
    texts = [texts[0][:7_999], texts[1][:2_999], *(f"Town {at} keeps a bell." for at in "cde")]
    documents = [_document(text, name=name) for name, text in zip("abcde", texts, strict=True)]
    config = ClewConfig(ku_batch_size=3, chunk_size=9_000, chunk_overlap=0)
    first = ScriptedLLM([(".", _echo)])
    _extract(first, *documents, config=config, **memory.options)
    assert [len(_passages(prompt)) for prompt in first.prompts] == [1, 3, 1], "a is nearly too long"
    for document in documents[0], documents[4]:
        for key in memory.by_document[document.id]:
            del memory.kept[key]
    again = ScriptedLLM([(".", _echo)])
    _extract(again, *documents, config=config, **memory.options)
    assert again.prompts == [first.prompts[0], first.prompts[2]]


def test_what_is_left_of_several_batches_is_asked_about_together() -> None:
    memory = Memory()
    config = ClewConfig(ku_batch_size=3)
    towns = _towns(9)
    _extract(ScriptedLLM([(".", _echo)]), *towns, config=config, **memory.options)
    for document in towns[::3]:
        for key in memory.by_document[document.id]:
            del memory.kept[key]
    again = ScriptedLLM([(".", _echo)])
    _extract(again, *towns, config=config, **memory.options)
    assert [len(_passages(prompt)) for prompt in again.prompts] == [3]


def test_cut_off_replies_are_not_kept_but_an_empty_one_is() -> None:
    memory = Memory()
    document = _document(" ".join(SENTENCES))
    _extract(ScriptedLLM([(".", CLEAN[:300])]), document, **memory.options)
    assert memory.kept == {}
    _extract(ScriptedLLM([(".", '{"units": []}')]), document, **memory.options)
    assert len(memory.kept) == 1
    [again] = _extract(ScriptedLLM([]), document, **memory.options)
    assert len(again.problems) == 1


# --- chunks -------------------------------------------------------------------------------------


def test_overlapping_chunks_give_no_fact_twice() -> None:
    text = " ".join(f"Keeper {number} lit lamp {number} at Tamsund." for number in range(30))
    document = _document(text)
    config = ClewConfig(chunk_size=200, chunk_overlap=80, chunk_strategy="recursive")

    def say_all(prompt: str) -> str:
        units = [
            {"passage": number, "text": f"Lamp {lamp} was lit by keeper {lamp}."}
            for number, passage in enumerate(_passages(prompt), 1)
            for lamp in re.findall(r"Keeper (\d+) lit lamp \1 at", passage)
        ]
        return json.dumps({"units": units})

    chunks = _chunks(document, chunk_size=200, chunk_overlap=80, chunk_strategy="recursive")
    assert sum(len(chunk.text) for chunk in chunks) > len(text) + 200
    [extraction] = _extract(ScriptedLLM([(".", say_all)]), document, config=config)
    said = [unit.text for unit in extraction.units]
    assert said == [f"Lamp {number} was lit by keeper {number}." for number in range(30)]


def test_chunks_without_a_statement_are_not_asked_for() -> None:
    llm = ScriptedLLM([])
    [extraction] = _extract(llm, _document("\n\n  \n"))
    assert (extraction.units, llm.calls) == ((), [])


def test_nothing_to_extract() -> None:
    assert LLMExtractor(ScriptedLLM([]), ClewConfig()).extract([]) == []


# --- names --------------------------------------------------------------------------------------


def test_types_are_those_of_the_rules() -> None:
    reply = {
        "units": [
            {"text": SENTENCES[1], "entities": [
                {"name": "Karl Strand", "type": "per"}, {"name": "Tamsund", "type": "location"}]}
        ]
    }  # fmt: skip
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(SENTENCES[1]))
    assert {entity.name: entity.type for entity in extraction.entities if entity.type} == {
        "Karl Strand": "PERSON",
        "Tamsund": "PLACE",
    }


def test_a_unit_whose_names_nobody_gave_has_those_of_the_rules() -> None:
    reply = {"units": [{"text": SENTENCES[0]}, {"text": "Otto Brand rang a bell in 1940."}]}
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(" ".join(SENTENCES)))
    assert {mention.surface for mention in extraction.mentions} >= {
        "Ida Holm",
        "Norr Bridge",
        "Otto Brand",
    }


def test_rules_may_find_the_names_of_a_model_s_units() -> None:
    reply = {"units": [{"text": SENTENCES[0], "entities": ["bridge"]}]}
    config = ClewConfig(entity_extraction_method="rules")
    llm = ScriptedLLM([(".", json.dumps(reply))])
    [extraction] = _extract(llm, _document(SENTENCES[0]), config=config)
    surfaces = {mention.surface for mention in extraction.mentions}
    assert "bridge" not in surfaces
    assert "Ida Holm" in surfaces


def test_an_own_entity_prompt_is_asked_once_a_chunk_and_remembered() -> None:
    prompt = 'Names in {text} as {"entities": []}, 100%'
    config = ClewConfig(entity_extraction_prompt=prompt)
    rules = [
        (r"^Names in", json.dumps({"entities": [{"name": "Norr Bridge", "type": "WORK"}]})),
        (".", json.dumps({"units": FACTS[:1]})),
    ]
    memory = Memory()
    llm = ScriptedLLM(rules)
    document = _document(SENTENCES[0])
    [extraction] = _extract(llm, document, config=config, **memory.options)
    assert llm.prompts[1] == f'Names in {SENTENCES[0]} as {{"entities": []}}, 100%'
    assert [mention.surface for mention in extraction.mentions] == ["Norr Bridge"]
    assert set(extraction.reply_keys) == set(memory.kept)
    assert extraction.usage.calls == 2
    silent = ScriptedLLM([])
    [again] = _extract(silent, document, config=config, **memory.options)
    assert silent.calls == []
    assert again.mentions == extraction.mentions


@pytest.mark.parametrize(
    ("reply", "reason"), [("no list", "holds no whole list of names"), (OSError("gone"), "gone")]
)
def test_an_entity_prompt_that_fails_leaves_the_rules(reply: Any, reason: str) -> None:
    config = ClewConfig(entity_extraction_prompt="Names in {text}")
    llm = ScriptedLLM([(r"^Names in", reply), (".", json.dumps({"units": FACTS[:1]}))])
    [extraction] = _extract(llm, _document(SENTENCES[0]), config=config)
    assert "Ida Holm" in {mention.surface for mention in extraction.mentions}
    assert len(extraction.problems) == 1
    assert "chunk 0: names were found by rule" in extraction.problems[0]
    assert reason in extraction.problems[0]


def test_a_name_from_the_title_is_grounded() -> None:
    document = _document("He married Teutberga in 855.", title="Lothair II")
    reply = {
        "units": [{"text": "Lothair II married Teutberga in 855.", "entities": ["Lothair II"]}]
    }
    [extraction] = _extract(ScriptedLLM([(".", json.dumps(reply))]), document)
    assert extraction.ungrounded == 0
    assert "Lothair II" in [mention.surface for mention in extraction.mentions]


@pytest.mark.parametrize(
    "numbers", [(0, 1, 2), (2, 3, 1), (1, 1, 1)], ids=["from 0", "shuffled", "all one"]
)
def test_statements_go_to_the_passage_that_bears_them_out(numbers: Sequence[int]) -> None:
    documents = [_document(text, name) for text, name in zip(SENTENCES[:3], "abc", strict=True)]
    units = [{**fact, "passage": number} for fact, number in zip(FACTS, numbers, strict=False)]
    llm = ScriptedLLM([(".*", json.dumps({"units": units}))])
    extractions = _extract(llm, *documents)
    assert [[unit.text for unit in one.units] for one in extractions] == [
        [text] for text in SENTENCES[:3]
    ]
    assert not any(one.problems or one.ungrounded for one in extractions)
    assert len(llm.calls) == 1


def test_a_passage_that_bears_out_nothing_is_asked_for_alone() -> None:
    documents = [_document(text, name) for text, name in zip(SENTENCES[:2], "ab", strict=True)]
    made_up = {"text": "Paris is in France.", "passage": 2}
    both = json.dumps({"units": [{**FACTS[0], "passage": 1}, made_up]})
    llm = ScriptedLLM([('number="2"', both), (".*", json.dumps({"units": [FACTS[1]]}))])
    first, second = _extract(llm, *documents)
    assert [unit.text for unit in (*first.units, *second.units)] == SENTENCES[:2]
    assert not first.problems
    assert not second.problems
    assert len(llm.calls) == 2
