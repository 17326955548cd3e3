"""What stands between clew and a language model, one idea a file, in the order of a call::

    giving_up    a model that never answered is not asked for ever
    reply_limit  how long replies may be
    cache        a reply that was paid for is kept at once, and never paid for twice
    ledger       who used how much of which model, for what (keeping: both in one transaction)
    budget       a call that would cost more than may be spent is not made (prices, estimates)
    concurrency  so many calls at the same time
    retry        a busy or broken provider is asked again, later
    rates        so many requests and tokens a minute
    pause        who is told to wait makes all others wait too

Each is a :class:`~clew.models.wrappers.layers.Layer`; :mod:`~clew.models.wrappers.stack` puts them
in this order around a model, and the result is a model.
"""
