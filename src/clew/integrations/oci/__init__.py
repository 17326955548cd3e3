"""Oracle Cloud Infrastructure: documents from Object Storage, models from Generative AI."""

from clew.integrations.oci.object_storage import OCIObjectStorageTextLoader
from clew.models.providers.oci import OCIGenAILLM
from clew.models.providers.oci_embedding import OCIGenAIEmbedding

__all__ = ["OCIGenAIEmbedding", "OCIGenAILLM", "OCIObjectStorageTextLoader"]
