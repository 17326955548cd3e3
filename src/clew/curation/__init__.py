"""What the graph knows, looked up by name, and what people do to it by hand.

``entities`` and ``facts`` look up; ``names`` keeps decisions about names and carries them out;
``given_facts`` makes facts that somebody brings into a document, so that they have a source like
all others.
"""
