"""Documents from buckets of OCI Object Storage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew.documents import LoadFailure, load_bytes
from clew.errors import DocumentError
from clew.models.providers.oci_access import explain, failures, make_client
from clew.records import DEFAULT_SCOPE, Document

_PAGE = 1000


class OCIObjectStorageTextLoader:
    """Reads objects of a bucket. Every format that clew reads from a folder works here too.

    ``client`` is an ``oci.object_storage.ObjectStorageClient`` of your own; None makes one (for the
    other options see :func:`clew.models.providers.oci_access.make_client`). ``namespace`` None asks
    the service for the tenancy's own.
    """

    def __init__(
        self,
        namespace: str | None,
        bucket_name: str,
        *,
        client: Any = None,
        auth: str = "config_file",
        profile: str | None = None,
        config_file: str | Path | None = None,
        endpoint: str | None = None,
    ) -> None:
        self.client = client or make_client(
            "object_storage.ObjectStorageClient",
            auth=auth,
            profile=profile,
            config_file=config_file,
            endpoint=endpoint,
            retries=True,
        )
        self.bucket_name = bucket_name
        self._namespace = namespace

    @property
    def namespace(self) -> str:
        if self._namespace is None:
            self._namespace = str(self._ask("get_namespace").data)
        return self._namespace

    def load_text(self, object_name: str) -> str:
        """Return the text of an object. Raises :class:`clew.errors.DocumentError` when it cannot be
        had or read, or holds several documents (see :meth:`load`).
        """
        documents = list(self.load(object_name))
        if len(documents) != 1:
            raise DocumentError(
                f"{self.uri(object_name)} holds {len(documents)} documents, not one: use load()"
            )
        found = documents[0]
        if isinstance(found, LoadFailure):
            raise DocumentError(found.reason)
        return found.text

    def load(
        self, object_name: str, *, scope: str = DEFAULT_SCOPE
    ) -> Iterator[Document | LoadFailure]:
        """Yield the documents in an object, named by its address ``oci://bucket@namespace/name``."""
        data = self._ask("get_object", self.namespace, self.bucket_name, object_name).data.content
        yield from load_bytes(data, self.uri(object_name), scope=scope)

    def load_all(
        self, prefix: str = "", *, scope: str = DEFAULT_SCOPE
    ) -> Iterator[Document | LoadFailure]:
        """Yield the documents of all objects whose names begin with ``prefix``, in order of names.
        An object that cannot be read is a :class:`clew.documents.LoadFailure`; the others follow.
        """
        for name in self.names(prefix):
            try:
                yield from self.load(name, scope=scope)
            except DocumentError as error:
                uri = self.uri(name)
                yield LoadFailure(source=uri, doc_id=uri, reason=str(error))

    def names(self, prefix: str = "") -> Iterator[str]:
        """Yield the names of objects, without the empty ones that stand for folders."""
        start = None
        while True:
            options = {"prefix": prefix, "limit": _PAGE} | ({"start": start} if start else {})
            listed = self._ask("list_objects", self.namespace, self.bucket_name, **options).data
            yield from (item.name for item in listed.objects if not item.name.endswith("/"))
            start = listed.next_start_with
            if not start:
                return

    def uri(self, object_name: str) -> str:
        return f"oci://{self.bucket_name}@{self.namespace}/{object_name}"

    def _ask(self, call: str, *names: str, **options: Any) -> Any:
        try:
            return getattr(self.client, call)(*names, **options)
        except failures() as error:
            what = "/".join(names) or "the namespace of the tenancy"
            raise DocumentError(f"OCI Object Storage: {explain(error, what)}") from error
