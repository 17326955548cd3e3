"""Office math (OMML) as LaTeX, the notation that people and models read alike."""

from __future__ import annotations

from collections.abc import Callable

from clew.documents.readers.office_package import value_of
from clew.documents.xml_tree import Element, child, children, local_name

_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "overline"}
_ACCENTS |= {"\u0307": "dot", "\u0308": "ddot", "\u20d7": "vec", "\u20d6": "overleftarrow"}
_OPERATORS = {"∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∬": "\\iint", "∮": "\\oint"}
_OPERATORS |= {"⋃": "\\bigcup", "⋂": "\\bigcap"}
_UNREAD = frozenset({"rPr", "ctrlPr", "sSubPr", "sSupPr", "fPr", "argPr", "oMathParaPr"})
_SYMBOLS = {"–": "-", "−": "-", "ˆ": "^"}


def math_text(element: Element) -> str:
    """Return an ``m:oMath`` or ``m:oMathPara`` between dollar signs."""
    latex = " ".join(_latex(element).split())
    return f"${latex}$" if latex else ""


def _latex(element: Element | None) -> str:
    if element is None:
        return ""
    name = local_name(element)
    if name in _FORMS:
        return _FORMS[name](element)
    if name == "t":
        return "".join(_SYMBOLS.get(character, character) for character in element.text or "")
    if name in _UNREAD or (name.endswith("Pr") and name != "Pr"):
        return ""
    return "".join(map(_latex, element))


def _part(element: Element, name: str) -> str:
    return _latex(child(element, name)).strip()


def _fraction(element: Element) -> str:
    top, bottom = _part(element, "num"), _part(element, "den")
    if value_of(element, "fPr", "type") in {"lin", "skw"}:
        return f"{top}/{bottom}"
    return f"\\frac{{{top}}}{{{bottom}}}"


def _base(element: Element) -> str:
    base = _part(element, "e")
    return f"{{{base}}}" if len(base) > 1 else base


def _script(element: Element) -> str:
    below = child(element, "sub")
    above = child(element, "sup")
    low = "" if below is None else f"_{{{_latex(below).strip()}}}"
    high = "" if above is None else f"^{{{_latex(above).strip()}}}"
    return f"{_base(element)}{low}{high}"


def _scripts_in_front(element: Element) -> str:
    return f"{{}}_{{{_part(element, 'sub')}}}^{{{_part(element, 'sup')}}}{_base(element)}"


def _root(element: Element) -> str:
    degree = _part(element, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"


def _delimited(element: Element) -> str:
    settings = child(element, "dPr")
    left = value_of(settings, "begChr", default="(")
    right = value_of(settings, "endChr", default=")")
    between = value_of(settings, "sepChr", default="|")
    return left + between.join(_latex(part).strip() for part in children(element, "e")) + right


def _large_operator(element: Element) -> str:
    sign = value_of(element, "naryPr", "chr", default="∫")
    low, high = _part(element, "sub"), _part(element, "sup")
    limits = (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return f"{_OPERATORS.get(sign, sign)}{limits} {_part(element, 'e')}"


def _function(element: Element) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


def _accent(element: Element) -> str:
    sign = value_of(element, "accPr", "chr", default="\u0302")
    return f"\\{_ACCENTS.get(sign, 'hat')}{{{_part(element, 'e')}}}"


def _bar(element: Element) -> str:
    name = "underline" if value_of(element, "barPr", "pos") == "bot" else "overline"
    return f"\\{name}{{{_part(element, 'e')}}}"


def _matrix(element: Element) -> str:
    rows = [
        " & ".join(_latex(e).strip() for e in children(row, "e")) for row in children(element, "mr")
    ]
    return "\\begin{matrix}" + " \\\\ ".join(rows) + "\\end{matrix}"


def _equations(element: Element) -> str:
    return " \\\\ ".join(_latex(part).strip() for part in children(element, "e"))


def _limit(element: Element) -> str:
    sign = "_" if local_name(element) == "limLow" else "^"
    return f"{_part(element, 'e')}{sign}{{{_part(element, 'lim')}}}"


_FORMS: dict[str, Callable[[Element], str]] = {
    "f": _fraction,
    "sSup": _script,
    "sSub": _script,
    "sSubSup": _script,
    "sPre": _scripts_in_front,
    "rad": _root,
    "d": _delimited,
    "nary": _large_operator,
    "func": _function,
    "acc": _accent,
    "bar": _bar,
    "m": _matrix,
    "eqArr": _equations,
    "limLow": _limit,
    "limUpp": _limit,
}
