"""What indexing would take, before anything is spent: calls, tokens, money, time.

::

    expected_reply   what a model may be expected to reply to a prompt
    rehearsal        a run with all but the model and the writing
    experience       what earlier calls tell of tokens and time
    plan             the figures, for each method of extraction
"""
