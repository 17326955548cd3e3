"""Retrieval: from a question to ranked evidence.

In the order of the work::

    pipeline          the whole of it: RetrievePipeline
    question/         what kind of answer is wanted
    query/            the question as vector, words and names: reading, words, names, linking
    methods           how evidence is found, by name
      pool/           the chunks considered, and what each is worth by itself: standing, candidates,
                      word_scores, kindred, named_chunks, whole_names, unit_scores, fusion, stages,
                      weights (constants, in measured)
      linked/         linked evidence, the default: search, mentions, links, best_edges,
                      selection, trails
      qiter/          Q-Iter: search, anchors, frontier, spaces, scores, paths, reembedding
      ppr/            personalised PageRank: search, seeds, edges, neighbourhood, push, walks
      hybrid, plain   without links; by one score alone
    rank              scores → order
    second_stage      a reranker reads the best again, with the units that led to them
    items             numbers → records: shown, path_steps
    explain           paths as a tree
"""
