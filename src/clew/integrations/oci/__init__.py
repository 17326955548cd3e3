"""Oracle Cloud Infrastructure: documents from Object Storage, vectors from Generative AI."""

from clew.integrations.oci.embedding import OCIGenAIEmbedding
from clew.integrations.oci.object_storage import OCIObjectStorageTextLoader

__all__ = ["OCIGenAIEmbedding", "OCIObjectStorageTextLoader"]
