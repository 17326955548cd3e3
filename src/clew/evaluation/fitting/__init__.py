"""Fitting the constants of linked evidence, for another embedder or on questions of one's own.

In the order of the work::

    sets          the tuning sets; test sets are refused
    asked         their questions linked against one index, with the chunks that support the answers
    logistic      weights ≥ 0 and a bias by ridge regression
    stages        each stage in turn, then its calibration; how good the result is
    weights_file  the result as JSON
"""
