"""The contract of :mod:`clew.stores.base` as tests that any store can be put to.

Subclass, say how a store is made, and let pytest collect it::

    class TestMyStore(StoreContract):
        @pytest.fixture
        def make_store(self, tmp_path):
            return lambda: MyStore.open(tmp_path / "store")

``make_store`` is called once in most tests and gives an empty store; where it is called twice it
may give the same store again, opened anew.
"""

from clew.testing.store_contract.deciding import DecisionContract
from clew.testing.store_contract.entities import EntityContract
from clew.testing.store_contract.filters import FilterContract
from clew.testing.store_contract.hostile import HostileTextContract
from clew.testing.store_contract.linking import LinkContract
from clew.testing.store_contract.reading import ReadingContract
from clew.testing.store_contract.renaming import RenamingContract
from clew.testing.store_contract.restricting import RestrictionContract
from clew.testing.store_contract.searching import SearchContract
from clew.testing.store_contract.spending import SpendingContract
from clew.testing.store_contract.writing import WritingContract

__all__ = ["StoreContract"]


class StoreContract(
    WritingContract,
    ReadingContract,
    SearchContract,
    LinkContract,
    FilterContract,
    RestrictionContract,
    EntityContract,
    HostileTextContract,
    SpendingContract,
    DecisionContract,
    RenamingContract,
):
    """Everything that the protocol promises."""
