"""Retrieval: from a question to ranked evidence.

In the order of the work::

    pipeline            the whole of it: RetrievePipeline
    question/           what kind of answer is wanted
    query               the question as vector, words and names
      words_of_question, names_in_question, linking
    methods             how evidence is found, by name
      linked            linked evidence, the default: evidence_links, linked_trails, titles
      qiter             Q-Iter: anchors, frontier, spaces, path_scores, paths, reembedding
      hybrid, plain     without links; by one score alone
      standing          what the chunk methods share: candidates, word_scores, named_chunks, fusion
      weights           the measured constants
    rank                scores → order
    items, explain      numbers → records, and paths in words
"""
