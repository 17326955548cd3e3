"""Every error that clew raises on purpose.

::

    ClewError
     ├─ ConfigError (ValueError)              a setting is unknown or out of range
     ├─ DocumentError (ValueError)            one document cannot be read
     │   ├─ UnsupportedFormatError
     │   ├─ EncryptedDocumentError
     │   └─ BrokenDocumentError
     ├─ ModelError (RuntimeError)             a model cannot be had, or failed
     │   ├─ MissingModelError
     │   ├─ MissingExtraError (ImportError)
     │   ├─ RateLimitError                    the provider asks to wait (429)
     │   ├─ ModelUnavailableError             no connection, 5xx, a reply that breaks off
     │   │   └─ ModelTimeoutError (TimeoutError)
     │   ├─ ModelRefusedError                 the request or the key is wrong: asking again is vain
     │   ├─ BudgetExceededError               what may be spent is spent
     │   └─ EmbeddingError (ValueError)       wrong count, shape, NaN or zero vectors
     ├─ StoreError (RuntimeError)
     │   ├─ StoreNotFoundError (FileNotFoundError)
     │   ├─ NotAStoreError
     │   ├─ StoreVersionError                 written by a newer clew
     │   ├─ StoreCorruptError                 truncated or damaged
     │   ├─ StoreLockedError (TimeoutError)   another process is writing
     │   ├─ StoreFullError (OSError)          no space left, or a limit of the file system
     │   ├─ ReadOnlyStoreError (PermissionError)
     │   └─ FingerprintMismatchError          made with another embedder
     ├─ ExecutorError (RuntimeError)          workers cannot be had, or are lost for good
     ├─ FilterError (ValueError)              a ``where`` clause that means nothing
     ├─ NotFoundError (LookupError)           no such document, unit, entity, merge
     ├─ QuestionError (ValueError)            an empty question
     └─ DatasetNotFoundError (FileNotFoundError)   no such questions to measure with

A message says what happened, the value, the valid choices, and what to do next. A partial failure
inside a batch is not raised: it is part of the report.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ClewError(Exception):
    """The root of all errors of clew."""


class ConfigError(ClewError, ValueError):
    """A setting is unknown or out of range."""


class DocumentError(ClewError, ValueError):
    """One document cannot be read; the others are not concerned."""


class UnsupportedFormatError(DocumentError):
    """No reader for this kind of file, or a binary file under the name of a text."""


class EncryptedDocumentError(DocumentError):
    """The file needs a password."""


class BrokenDocumentError(DocumentError):
    """The file is damaged: its format's own reader gave up."""


class ModelError(ClewError, RuntimeError):
    """A model cannot be had, or failed."""


class MissingModelError(ModelError):
    """The step needs a model and none was given."""


class MissingExtraError(ModelError, ImportError):
    """An optional package is not installed; the message has the install line."""


class RateLimitError(ModelError):
    """The provider asks to wait: for ``retry_after_s`` seconds where it says how long."""

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ModelUnavailableError(ModelError):
    """The provider could not be reached, or failed: another attempt may mend it, after
    ``retry_after_s`` seconds where it says how long.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ModelTimeoutError(ModelUnavailableError, TimeoutError):
    """The provider did not answer in time."""


class ModelRefusedError(ModelError):
    """The provider refuses the request for good: a wrong key or model, a prompt that is too long.
    ``status`` is its HTTP status, 0 where there is none.
    """

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class BudgetExceededError(ModelError):
    """The call would cost more than may still be spent; it was not made."""


class EmbeddingError(ModelError, ValueError):
    """An embedder returned the wrong count or shape, NaN, or zero vectors."""


class StoreError(ClewError, RuntimeError):
    """Something about a store."""


class StoreNotFoundError(StoreError, FileNotFoundError):
    """There is no store at this path."""


class NotAStoreError(StoreError):
    """The path exists and is something else; it was left untouched."""


class StoreVersionError(StoreError):
    """The store was written by a newer version; it was left untouched."""


class StoreCorruptError(StoreError):
    """The store is truncated or damaged; it was left untouched."""


class StoreLockedError(StoreError, TimeoutError):
    """Another process is writing and did not finish in time."""


class StoreFullError(StoreError, OSError):
    """No space is left; what was committed before is whole."""


class ReadOnlyStoreError(StoreError, PermissionError):
    """The store cannot be written."""


class FingerprintMismatchError(StoreError):
    """The store was made with another embedder than the one given."""


class ExecutorError(ClewError, RuntimeError):
    """The workers of an executor cannot be had, or are lost for good."""


class FilterError(ClewError, ValueError):
    """A ``where`` clause that means nothing."""


class NotFoundError(ClewError, LookupError):
    """No such document, unit, entity or merge."""


class QuestionError(ClewError, ValueError):
    """A question without a word in it."""


class DatasetNotFoundError(ClewError, FileNotFoundError):
    """No such set of questions to measure with."""


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for a close match among ``choices``, otherwise ``""``."""
    matches = get_close_matches(name, list(choices), n=1, cutoff=0.6)
    return f"; did you mean {matches[0]!r}?" if matches else ""
