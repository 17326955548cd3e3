"""Words before a full stop that does not end a sentence, and words that begin one.

Titles count as they are written (``Gen.`` is a title, ``gen.`` is not); the others in any case.
"""

from __future__ import annotations

TITLES = frozenset(
    """
    Mr Mrs Ms Mx Dr Drs Prof St Ste Gen Col Capt Cpt Lt Sgt Maj Cmdr Rev Hon Sen Rep Gov Pres Supt
    Messrs Mt Ft Hr Fr Frl Dipl Ing Mme Mmes Mlle MM Sr Sra Srta Dra Dña Ud Uds Av Avda Sig Dott Avv
    On Dhr Mw Mevr Ds Ks Ul Al Pl Exmo Exma Lic Arq Skt Dir Amm Kfm
    """.split()
)

NEVER_LAST = frozenset(
    """
    med phil jur rer nat kath ev evang napr např tzv проф гг пгт напр доц акад пл
    e.g eg i.e ie viz vs cf approx ca nr bzw vgl sog inkl evtl ggf z.b d.h u.a u.ä o.a bijv av bd
    ing sig dott avv tj np tzn ul г ул пр т.е т.к см núm pág
    """.split()
)

BEFORE_NUMBER = frozenset(
    """
    no nos nr n° nº fig figs eq eqs sec sect ch chap vol vols pp p art para abs s kap abb tab op ver
    est ed eds ok ca str s рис стр гл кв тел н tel ext párr párrf cap
    """.split()
)

SELDOM_LAST = frozenset(
    """
    inc ltd co corp jr sr esq ph.d al jan feb mar apr jun jul aug sep sept oct nov dec dept univ
    ene abr ago dic okt dez
    assn bros plc calif mass ave blvd rd ee uu им др
    """.split()
)

STARTERS = frozenset(
    """
    a an the he she it we you they i this that these those there here his her its our their my your
    in on at by for from with as if when while after before since although though because but and
    or so yet however then thus now later what who how why where which one some many most all no
    did do does is are was were can could would has have had
    not nobody nothing everyone both each every such despite during until
    der die das ein eine er sie es wir ihr ich dies diese dieser im am bei nach vor mit und aber
    le la les un une il elle ils elles nous vous je ce cette ces en dans mais et puis
    el los las una uno ella ellos nosotros yo este esta estos pero y nadie
    o os as um uma ele ela eles mas lo gli egli essa ma
    de det den han hun vi jeg hvad hvor het een hij zij wij dit dat maar
    to on ona w na i ale
    он она оно они мы вы я это в на но и потом
    """.split()
)

DAYS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today tomorrow
    january february march april may june july august september october november december
    est edt cst cdt mst mdt pst pdt gmt utc bst cet cest et ct mt pt
    """.split()
)

ORDINAL_NOUNS = frozenset(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember
    jahrhundert jahrhunderts jahrtausend weltkrieg weltkriegs auflage kapitel klasse stock
    """.split()
)
