"""The builder: blocks are a partition, rows and items stand close, pages begin at blocks."""

from clew.documents import TextBuilder
from clew.records import Block, BlockKind


def pieces(builder: TextBuilder) -> list[str]:
    return [builder.text[block.start : block.end] for block in builder.blocks()]


def test_blocks_own_the_blank_lines_behind_them() -> None:
    builder = TextBuilder()
    builder.add(BlockKind.HEADING, "Ferry lines", 1)
    builder.add(BlockKind.PARAGRAPH, "Two ferries cross the sound.")
    assert pieces(builder) == ["Ferry lines\n\n", "Two ferries cross the sound."]
    assert builder.blocks()[0] == Block(kind=BlockKind.HEADING, start=0, end=13, level=1)


def test_rows_and_items_follow_on_the_next_line() -> None:
    builder = TextBuilder()
    builder.add_item("Oars", 1)
    builder.add_item("of ash", 2)
    builder.add_table([["Boat", "Year"], ["Tern", "1911"]])
    builder.add_table([["Port"], ["Varde"]])
    assert builder.text == (
        "- Oars\n  - of ash\n\n| Boat | Year |\n| Tern | 1911 |\n\n| Port |\n| Varde |"
    )
    assert [block.kind.value for block in builder.blocks()] == [
        "list_item",
        "list_item",
        "table_header",
        "table_row",
        "table_header",
        "table_row",
    ]


def test_further_lines_of_an_item_hang_under_its_text() -> None:
    builder = TextBuilder()
    builder.add_item("first line\nsecond line", 2, "7.")
    assert builder.text == "  7. first line\n     second line"


def test_what_has_no_visible_character_is_left_out() -> None:
    builder = TextBuilder()
    builder.add(BlockKind.PARAGRAPH, " \n\t")
    builder.add_item("  ", 1)
    builder.add_table([["", " "]])
    assert builder.text == ""
    assert builder.blocks() == ()
    assert builder.pages() == ()


def test_a_page_without_text_is_left_out() -> None:
    builder = TextBuilder()
    builder.begin_page(1)
    builder.add(BlockKind.PARAGRAPH, "One")
    builder.begin_page(2)
    builder.begin_page(3)
    builder.add(BlockKind.PARAGRAPH, "Three")
    assert [(p.number, builder.text[p.start : p.end]) for p in builder.pages()] == [
        (1, "One\n\n"),
        (3, "Three"),
    ]


def test_a_page_may_begin_inside_a_block() -> None:
    builder = TextBuilder()
    builder.begin_page(1)
    builder.add(BlockKind.PARAGRAPH, "The mast was cut in autumn.", page_marks=[(13, 2)])
    assert [builder.text[p.start : p.end] for p in builder.pages()] == [
        "The mast was ",
        "cut in autumn.",
    ]


def test_blocks_of_a_partitioned_text_keep_their_kind() -> None:
    text = "# A\n\n- x\n- y\n"
    blocks = (
        Block(kind=BlockKind.HEADING, start=0, end=5, level=1),
        Block(kind=BlockKind.LIST_ITEM, start=5, end=9, level=1),
        Block(kind=BlockKind.LIST_ITEM, start=9, end=13, level=1),
    )
    builder = TextBuilder()
    builder.add_blocks(text, blocks)
    assert builder.text == "# A\n\n- x\n- y"
    assert [block.level for block in builder.blocks()] == [1, 1, 1]
