"""``delete``, ``forget``: what takes documents out of a store, with a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.app import EPILOG, EXIT_FAILED, app
from clew.cli.render import console, counts, escape, print_json, print_table
from clew.cli.session import Session

if TYPE_CHECKING:
    from clew.reports import DeleteReceipt

_SHOWN = 20

Names = Annotated[
    list[str], typer.Argument(help="Documents, or the files or folders they came from.")
]


@app.command(epilog=EPILOG)
def delete(context: typer.Context, names: Names) -> None:
    """Remove documents from every layer of the store, and print a receipt.

    Example:

      clew delete docs/old.md
    """
    session: Session = context.obj
    with session.open() as kb:
        receipts = [kb.delete(name) for name in names]
    _print_receipts(session, "deleted", receipts)


@app.command(epilog=EPILOG)
def forget(context: typer.Context, names: Names) -> None:
    """Delete documents, take what is left of them off the disk, and look whether anything remains.

    The whole store is written anew. Exit status 1, and the places, where something of these names
    stands still.

    Example:

      clew forget docs/old.md
    """
    session: Session = context.obj
    with session.open() as kb:
        receipts = kb.forget(*names)
    _print_receipts(session, "forgotten", receipts)
    if any(receipt.remains for receipt in receipts):
        raise typer.Exit(EXIT_FAILED)


def _print_receipts(session: Session, done: str, receipts: list[DeleteReceipt]) -> None:
    if session.json:
        print_json({done: [receipt.to_dict() for receipt in receipts]})
        return
    out = console()
    for receipt in receipts:
        out.print(escape(receipt.note or f"{done} {_names(receipt)}: {counts(receipt.removed)}"))
        if receipt.remains:
            rows = [(trace.where, trace.message) for trace in receipt.remains]
            print_table(out, ("remains in", "what"), rows)
        elif receipt.erased:
            out.print("nothing of it is left in the store")


def _names(receipt: DeleteReceipt) -> str:
    """The documents of a receipt; of many, the first ones."""
    names = ", ".join(receipt.doc_ids[:_SHOWN])
    more = len(receipt.doc_ids) - _SHOWN
    return f"{names} and {more:,} more" if more > 0 else names
