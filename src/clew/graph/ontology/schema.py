"""An ontology as YAML: entity types, and predicates with what they may join and how often.

::

    entity_types:
      AGENT:
      PERSON: {is_a: AGENT}
      COMPANY: {is_a: AGENT}
    predicates:
      acquired:
        says: [bought, took over, purchased]
        domain: [COMPANY]
        range: [COMPANY]
        inverse: acquired by
      chief executive:
        says: [ceo]
        range: [PERSON]
        single_valued: true      # one at a time
        time_bound: true         # but another at another time
      founding year:
        says: [founded in]       # another predicate may say so too,
        value: date              # of values of another kind: date, number or name
    closed: true                 # predicates and types that are not listed are reported

Predicates are compared without tense, auxiliaries and articles (:mod:`clew.graph.predicates`). The
passive of whatever is listed ("was bought by") is the inverse, also where none is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from clew.errors import ConfigError, nearest
from clew.graph.predicates import passive_of, predicate_key
from clew.graph.values import value_kind
from clew.strict_yaml import load_yaml

DEFAULT = "default"
NONE = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class PredicateRule:
    """``domain`` and ``range`` are entity types, empty for any. ``single_valued``: a subject has
    one object (at one time, where ``time_bound``); ``inverse_single_valued``: an object has one
    subject; what is said of a predicate holds for its inverse too. ``value`` is the kind of its
    objects, ``date``, ``number`` or ``name``; empty for any. ``name`` is empty for the passive of a
    predicate that names no inverse: facts keep their own words.
    """

    name: str
    says: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    inverse: str = ""
    value: str = ""
    single_valued: bool = False
    inverse_single_valued: bool = False
    time_bound: bool = False

    @property
    def key(self) -> str:
        """What all its ways of saying share."""
        return predicate_key(self.name) or passive_of(predicate_key(self.inverse))

    @property
    def inverse_key(self) -> str:
        return predicate_key(self.inverse) or passive_of(self.key)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ontology:
    """``parents`` leads from an entity type to the one it is a kind of. ``digest`` tells ontologies
    apart.
    """

    predicates: Mapping[str, tuple[PredicateRule, ...]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    closed: bool = False
    digest: str = ""

    def rule(self, predicate: str, value: str = "") -> PredicateRule | None:
        """The rule of a predicate, however it is said; ``value`` tells "born in 1970" from "born in
        Oslo".
        """
        rules = self.predicates.get(predicate_key(predicate), ())
        kind = value_kind(value)
        return next((rule for rule in rules if rule.value in {"", kind}), None)

    def is_a(self, kind: str, wanted: Sequence[str]) -> bool:
        """Whether an entity type is one of ``wanted`` or a kind of one."""
        seen: set[str] = set()
        while kind and kind not in seen:
            if kind in wanted:
                return True
            seen.add(kind)
            kind = self.parents.get(kind, "")
        return False


def named_ontology(name: str) -> Ontology:
    """Return the ontology that the setting ``ontology`` names: ``default``, ``none`` or a file.

    Raises :class:`clew.errors.ConfigError`.
    """
    if name == NONE:
        return Ontology()
    if name == DEFAULT:
        return _default()
    path = Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"ontology={name!r}: {error.strerror}; write 'default', 'none' or the path of a file"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"ontology={name!r}: {error}; the file must be UTF-8") from error
    return read_ontology(text, name)


@cache
def _default() -> Ontology:
    text = files(__package__).joinpath("default.yaml").read_text(encoding="utf-8")
    return read_ontology(text, DEFAULT)


def read_ontology(text: str, where: str = "ontology") -> Ontology:
    """Read an ontology; raise :class:`ConfigError` that names the place of what is wrong."""
    try:
        plain = load_yaml(text) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"{where}: this is no YAML: {error}") from error
    _require(plain, where, {"entity_types", "predicates", "closed"})
    parents = _parents(plain.get("entity_types") or {}, where)
    rules = [
        _rule(name, told, f"{where}: predicates: {name}")
        for name, told in _mapping(plain.get("predicates"), f"{where}: predicates").items()
    ]
    rules = _completed(rules)
    for rule in rules:
        _require_types(rule, parents, where)
    return Ontology(
        predicates=_by_key(rules, where),
        parents=parents,
        closed=_flag(plain.get("closed", False), f"{where}: closed"),
        digest=blake2b(text.encode(), digest_size=8).hexdigest(),
    )


def _by_key(rules: Sequence[PredicateRule], where: str) -> dict[str, tuple[PredicateRule, ...]]:
    """Every name and way of saying it. What two predicates say alike they must say of values of
    different kinds.
    """
    found: dict[str, list[PredicateRule]] = {}
    for rule in [*rules, *_inverses(rules)]:
        for said in dict.fromkeys(map(predicate_key, (rule.name, *rule.says))):
            others = found.setdefault(said, [])
            for other in others:
                if not (rule.value and other.value and rule.value != other.value):
                    raise ConfigError(
                        f"{where}: predicates: {said!r} means both {other.name!r} and "
                        f"{rule.name!r}; take it from one, or give each a `value` of its own"
                    )
            others.append(rule)
    return {**_passives(rules, found), **{said: tuple(meant) for said, meant in found.items()}}


def _passives(
    rules: Sequence[PredicateRule], listed: Mapping[str, Sequence[PredicateRule]]
) -> dict[str, tuple[PredicateRule, ...]]:
    """Passives of all that is said of things (a date does nothing); what is listed goes before."""
    found: dict[str, dict[PredicateRule, None]] = {}
    for rule in rules:
        if rule.value in {"", "name"}:
            named = [one for one in listed.get(rule.inverse_key, ()) if one.name == rule.inverse]
            for said in map(predicate_key, (rule.name, *rule.says)):
                if not said.endswith(" by"):
                    found.setdefault(passive_of(said), {}).update(
                        dict.fromkeys(named or [_turned(rule)])
                    )
    return {said: tuple(meant) for said, meant in found.items() if len(meant) == 1}


def _completed(rules: Sequence[PredicateRule]) -> list[PredicateRule]:
    """What was said of one side of a relation holds for the other side too."""
    named = {predicate_key(rule.name): rule for rule in rules}
    completed = []
    for rule in rules:
        other = named.get(predicate_key(rule.inverse)) if rule.inverse else None
        completed.append(
            rule
            if other is None
            else replace(
                rule,
                single_valued=rule.single_valued or other.inverse_single_valued,
                inverse_single_valued=rule.inverse_single_valued or other.single_valued,
                time_bound=rule.time_bound or other.time_bound,
            )
        )
    return completed


def _inverses(rules: Sequence[PredicateRule]) -> list[PredicateRule]:
    """Rules for inverses that have no entry of their own."""
    named = {predicate_key(rule.name) for rule in rules}
    return [
        _turned(rule) for rule in rules if rule.inverse and predicate_key(rule.inverse) not in named
    ]


def _turned(rule: PredicateRule) -> PredicateRule:
    return PredicateRule(
        name=rule.inverse,
        domain=rule.range,
        range=rule.domain,
        inverse=rule.name,
        single_valued=rule.inverse_single_valued,
        inverse_single_valued=rule.single_valued,
        time_bound=rule.time_bound,
    )


_RULE_KEYS = {item.name for item in fields(PredicateRule)} - {"name"}
_FLAGS = {"single_valued", "inverse_single_valued", "time_bound"}
_VALUES = ("date", "number", "name")


def _rule(name: Any, told: Any, where: str) -> PredicateRule:
    if not predicate_key(str(name)):
        raise ConfigError(f"{where}: a predicate needs a name with a letter in it")
    values = _mapping(told, where)
    _require(values, where, _RULE_KEYS)
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key in _FLAGS:
            read[key] = _flag(value, f"{where}: {key}")
        elif key in {"inverse", "value"}:
            read[key] = _text(value, f"{where}: {key}")
        else:
            read[key] = _texts(value, f"{where}: {key}")
    if read.get("value", "date") not in _VALUES:
        raise ConfigError(f"{where}: value: must be one of {', '.join(_VALUES)}")
    for key in {"domain", "range"} & read.keys():
        read[key] = tuple(kind.upper() for kind in read[key])
    return PredicateRule(name=str(name), **read)


def _parents(plain: Any, where: str) -> dict[str, str]:
    if isinstance(plain, list):
        plain = dict.fromkeys(_texts(plain, f"{where}: entity_types"))
    parents: dict[str, str] = {}
    for name, told in _mapping(plain, f"{where}: entity_types").items():
        values = _mapping(told, f"{where}: entity_types: {name}")
        _require(values, f"{where}: entity_types: {name}", {"is_a"})
        parents[str(name).upper()] = str(values.get("is_a") or "").upper()
    for name, parent in parents.items():
        if parent and parent not in parents:
            raise ConfigError(
                f"{where}: entity_types: {name}: is_a: no type {parent!r}{nearest(parent, parents)}"
            )
        if _comes_back(name, parents):
            raise ConfigError(f"{where}: entity_types: {name}: is_a: leads back to {name} itself")
    return parents


def _comes_back(name: str, parents: Mapping[str, str]) -> bool:
    kind = parents[name]
    for _ in parents:
        if kind == name:
            return True
        kind = parents.get(kind, "")
    return False


def _require_types(rule: PredicateRule, parents: Mapping[str, str], where: str) -> None:
    if not parents:
        return
    for kind in (*rule.domain, *rule.range):
        if kind not in parents:
            raise ConfigError(
                f"{where}: predicates: {rule.name}: no entity type {kind!r}{nearest(kind, parents)}"
            )


def _require(plain: Any, where: str, known: set[str]) -> None:
    for key in _mapping(plain, where):
        if key not in known:
            raise ConfigError(
                f"{where}: unknown key {key!r}{nearest(str(key), known)}; "
                f"there are {', '.join(sorted(known))}"
            )


def _mapping(value: Any, where: str) -> Mapping[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where}: must be a mapping, not {type(value).__name__}")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise ConfigError(f"{where}: must be a text or a list of texts")
    return tuple(listed)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where}: must be a text")
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: must be true or false")
    return value
