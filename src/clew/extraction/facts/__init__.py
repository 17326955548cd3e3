"""Facts: the typed readings of statements, from a model's reply to records.

In the order of the work::

    reading     what a reply says, however it is written
    qualifiers  what limits it, beside it or inside
    wording     negation, confidence, tense … as models put them
    times       "from 2010 to 2015" as ISO dates
    pronouns    what cannot stand alone, and what it stands for
    grounding   what the passage bears out; the rest is dropped and counted
    making      records with ids and spans
"""
