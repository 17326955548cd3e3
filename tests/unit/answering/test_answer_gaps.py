"""A text that tells of a thing is asked what it does not tell: the answer is that it is not known.

Beside each such question stands one that the same sentences do answer.
"""

from __future__ import annotations

from typing import Any

import pytest

VALLEY = {
    "Notes of the valley": "The Norr Bridge was opened in 1920. It was built by Per Moe. Jane Roe "
    "founded Norr Works. Ola Roe left Bergen in 1920 and sold his house to Kari Lund."
}
LIGHT = {
    "Skerry Light": "Skerry Light is a lighthouse on the island of Mull. It was designed by Alan "
    "Byrne, a Scottish engineer, and first lit in 1844. The tower is 41 metres tall. Its keeper in "
    "1850 was Tom Rae, who had served in the navy for ten years.",
    "Byrne & Sons": "Byrne & Sons was an engineering firm in Leith. Alan Byrne started it with his "
    "brother Hugh. The firm employed 60 men and closed in 1871 because its largest customer went "
    "bankrupt. Margaret Byrne, Hugh's daughter, became a painter and moved to Paris.",
    "Minutes": "The harbour board met on 3 May 1849. Present were Tom Rae, John Orr and Effie "
    "Stark.",
}
MILL = {
    "Corran Mill": "Corran Mill was built by Hugh Dalgleish in 1786. Hugh Dalgleish was born in "
    "Leith in 1751. He married Effie Bell in 1790 and had three children.",
    "Ewan Strachan": "Ewan Strachan was a ship's carpenter from Oban. He married Morag Lamont in "
    "1861. Their son Callum became a cartographer and drew the first survey of the Treshnish "
    "Isles.",
}
OFFICE = {
    "Office log": "On Monday the printer in the small office broke again. Lena Voss called the "
    "service on Tuesday. Their engineer, Piet Maas, replaced the fuser on Wednesday. It cost 240 "
    "euros.",
    "Warehouse": "The warehouse will be moved from Bruges to Mechelen in 2027. The move was "
    "decided by the board on 4 March 2026. The van leaves Bruges at 9:43.",
}
DIARY = {
    "Diary of Emil Brandt": "The diary of Emil Brandt was found in an attic in Lübeck in 1978. His "
    "granddaughter, Ilse Kern, sold it to the museum in Kiel for 12,000 marks. It was published by "
    "the Hansa Press in 1983, and translated into English by Mary Holt.",
    "Emil Brandt": "Emil Brandt (1890–1961) was a German sailor. After the war he kept a small inn "
    "at Travemünde, which he bought from his uncle.",
}
LAKE = {
    "Lake Orrin": "Lake Orrin is a lake in the Cairn hills. A dam was planned in 1962 but never "
    "built because the survey by Jean Muir showed that the rock was too soft.",
    "Jean Muir": "Jean Muir was a geologist at the University of Stirling. She studied under Hans "
    "Keller in Zurich. Her son, Alec Muir, is a botanist.",
}
RULES = {
    "Club rules": "# Rules of the rowing club\n\n1. Membership. Any person over sixteen may join. "
    "Dana Rowe keeps the register.\n2. Boats. Boats are booked by e-mail. Damage is reported to "
    "Ivo Lenz.\n3. Disputes. Disputes are heard by the committee in the boathouse.\n"
}
GARDEN = {
    "Garden diary": "The old pear tree was planted by my grandmother in 1931. The neighbours gave "
    "us the saplings. Next spring the shed will be painted green. My brother Tom built it in 1998 "
    "from oak boards.",
    "Apiary": "The bees were bought from a beekeeper in Ayr. The first honey was taken in August "
    "2015. Since 2019 the hives stand behind the barn.",
}
WARD = {
    "Ward report": "The night shift on ward 3 was led by Dr Amara Obi. Mr Lind was operated on by "
    "Dr Chen at 7:30. Mrs Farrow received oxygen, and her daughter was informed by telephone."
}
TOWN = {
    "Ellern": "Ellern is a small town. The town hall, designed by Pieter Post, was completed in "
    "1664 and burned down in 1801. Ellern was occupied by French troops from 1794 to 1813. The "
    "mayor, Kees Blom, was elected in 2022 and succeeded Ria de Wit."
}
NOTES = {
    "Release notes": "Version 2.4 was released on 12 May 2025. The crash on start-up reported by "
    "Iris Chan was fixed by Omar Haddad. The default cache size was raised from 64 MB to 256 MB. "
    "Version 2.5 is planned for October. Logs are written to /var/log/quill.",
    "Marta Quill": "Marta Quill was a Welsh physicist. She measured the lifetime of the neutron.",
}
LEASE = {
    "Lease": "The garden is shared with the owner of number 14, Mrs Pell. The tenant may not keep "
    "dogs. The tenant may end the lease at any time. The landlord must give six months' notice."
}
NEWS = {
    "Bridge closed": "The Calder Bridge was closed on Tuesday after engineers found cracks in two "
    'cables. "We expect the repairs to take six weeks," said Ruth Adeyemi, the head of the road '
    "department. The bridge was built in 1968 by Henley & Cross and last inspected in 2019. A "
    "petition by Sam Doyle has been signed by 4,200 people.",
    "School": "Its headteacher, Lucy Fenn, asked parents to walk.",
}
WORKS = {
    "Orchard Works": "Orchard Works was a factory that made bicycles. It was founded in 1887 by "
    "the brothers Albert and Frank Moss. After Frank's death his share was bought by a banker, "
    "Edwin Lowe. The last bicycle left the works in 1921."
}
PRINTER = {
    "Quill printer": "The Quill 300 prints 28 pages a minute. Toner lasts for a year and costs 49 "
    "euros. The printer connects by USB; Ethernet is missing. Its predecessor, the Quill 200, was "
    "sold until 2022.",
    "Fish soup": "Stir in 200 ml of cream. Cut 400 g of cod into cubes and add them last.",
}
CAPITAL = {"Notes": "Paris is the capital of France. It lies on the Seine."}
SECTIONS = {
    "Lease": "1 Parties\nThis lease is made between Hilda Brook (the landlord) and Tomas Veld (the "
    "tenant).\n\n2 Use\nThe tenant may not keep dogs.\n\n3 Ending\nThe tenant may end the lease "
    "with two months' notice."
}
SCHOOL = {
    "Timetable": "Physics is taught by Mr Okoye in room 12; chemistry by Ms Hartmann in room 14. "
    "Pupils of year 9 visit the museum in April.",
    "The Mill at Dusk": "The Mill at Dusk is a painting by Ada Verhoeven. It was stolen in 1943 "
    "and found in a barn near Linz in 1951.",
}

# text, question, what the text does not give
NOT_TOLD = [
    (VALLEY, "Where did Jane Roe found Norr Works?", "a place"),
    (VALLEY, "In which city did Jane Roe found Norr Works?", "city"),
    (VALLEY, "When did Jane Roe found Norr Works?", "a date"),
    (VALLEY, "Why did Jane Roe found Norr Works?", "a reason"),
    (VALLEY, "Where was the Norr Bridge opened?", "a place"),
    (VALLEY, "Where was the Norr Bridge built?", "a place"),
    (VALLEY, "Why was the Norr Bridge built?", "a reason"),
    (VALLEY, "Who opened the Norr Bridge?", "a person"),
    (VALLEY, "What color is the Norr Bridge?", "color"),
    (VALLEY, "Why did Ola Roe leave Bergen?", "a reason"),
    (VALLEY, "What did Kari Lund sell?", "sell"),
    (VALLEY, "Where is Norr Works?", "a place"),
    (LIGHT, "How wide is Skerry Light?", "how wide"),
    (LIGHT, "When did Margaret Byrne move to Paris?", "a date"),
    (LIGHT, "Where did the harbour board meet?", "a place"),
    (LIGHT, "How many women did Byrne & Sons employ?", "women"),
    (LIGHT, "Which ship did Tom Rae serve on?", "ship"),
    (OFFICE, "How much did the printer cost?", "cost"),
    (OFFICE, "How much will the move cost?", "move"),
    (OFFICE, "When does the van arrive?", "arrive"),
    (DIARY, "When was the diary translated?", "a date"),
    (LAKE, "When was the dam built?", "a date"),
    (LAKE, "Who built the dam?", "a person"),
    (RULES, "Who repairs boats?", "repairs"),
    (GARDEN, "When were the bees bought?", "a date"),
    (WARD, "Who operated on Mrs Farrow?", "a person"),
    (WARD, "What did Mr Lind have?", "have"),
    (TOWN, "Who burned down the town hall?", "a person"),
    (TOWN, "When was Ria de Wit elected?", "a date"),
    (SCHOOL, "How many pupils does the school have?", "pupils"),
    (SCHOOL, "Who stole the painting?", "a person"),
    (SCHOOL, "Who found the painting?", "a person"),
    (LEASE, "How much notice must the tenant give?", "notice"),
    (NEWS, "Who inspected the bridge?", "a person"),
    (NEWS, "How old is Ruth Adeyemi?", "how old"),
    (WORKS, "When did Albert Moss die?", "a date"),
    (PRINTER, "How much does the Quill 300 cost?", "cost"),
    (PRINTER, "How much salt is added?", "salt"),
    (NOTES, "When was version 2.3 released?", "2.3"),
    (NOTES, "When was version 2.5 released?", "a date"),
]

TOLD = [
    (VALLEY, "When was the Norr Bridge opened?", "1920"),
    (VALLEY, "Who built the Norr Bridge?", "Per Moe"),
    (VALLEY, "What did Ola Roe sell?", "house"),
    (VALLEY, "To whom did Ola Roe sell his house?", "Kari Lund"),
    (VALLEY, "Who founded Norr Works?", "Jane Roe"),
    (VALLEY, "What did Jane Roe found?", "Norr Works"),
    (LIGHT, "How tall is Skerry Light?", "41 metres"),
    (LIGHT, "Where did Margaret Byrne move?", "Paris"),
    (LIGHT, "When did the harbour board meet?", "3 May 1849"),
    (LIGHT, "How many men did Byrne & Sons employ?", "60"),
    (LIGHT, "Why did Byrne & Sons close?", "its largest customer went bankrupt"),
    (LIGHT, "Who is the brother of the designer of Skerry Light?", "Hugh"),
    (MILL, "When did Hugh Dalgleish marry?", "1790"),
    (MILL, "When did the builder of Corran Mill marry?", "1790"),
    (MILL, "Whom did the builder of Corran Mill marry?", "Effie Bell"),
    (MILL, "What did the son of Ewan Strachan become?", "cartographer"),
    (OFFICE, "What broke on Monday?", "printer"),
    (OFFICE, "Where will the warehouse be moved?", "Mechelen"),
    (OFFICE, "From where will the warehouse be moved?", "Bruges"),
    (OFFICE, "Who decided the move?", "board"),
    (OFFICE, "When does the van leave?", "9:43"),
    (DIARY, "When was the diary published?", "1983"),
    (DIARY, "Who bought the diary?", "museum in Kiel"),
    (DIARY, "To whom was the diary sold?", "museum in Kiel"),
    (DIARY, "From whom did Emil Brandt buy the inn?", "uncle"),
    (LAKE, "When was the dam planned?", "1962"),
    (LAKE, "Who taught Jean Muir?", "Hans Keller"),
    (LAKE, "What does the son of Jean Muir do?", "botanist"),
    (LAKE, "What did Jean Muir do?", "geologist"),
    (CAPITAL, "What is the capital of France?", "Paris"),
    (SECTIONS, "Who is the tenant?", "Tomas Veld"),
    (SCHOOL, "Who teaches physics?", "Mr Okoye"),
    (SCHOOL, "Who teaches chemistry?", "Ms Hartmann"),
    (SCHOOL, "When was the painting stolen?", "1943"),
    (SCHOOL, "When was the painting found?", "1951"),
    (LEASE, "How much notice must the landlord give?", "six months"),
    (LEASE, "With whom is the garden shared?", "Mrs Pell"),
    (LEASE, "Is the tenant allowed to keep dogs?", "no"),
    (NEWS, "Who found the cracks?", "engineers"),
    (NEWS, "Who started the petition?", "Sam Doyle"),
    (NEWS, "Who built the bridge?", "Henley & Cross"),
    (WORKS, "Who founded Orchard Works?", "Albert and Frank Moss"),
    (WORKS, "When did the last bicycle leave the works?", "1921"),
    (WORKS, "What was Edwin Lowe's occupation?", "banker"),
    (PRINTER, "How much does toner cost?", "49 euros"),
    (PRINTER, "Does the printer have Ethernet?", "no"),
    (PRINTER, "What was the predecessor of the Quill 300?", "Quill 200"),
    (PRINTER, "How much cream is stirred in?", "200 ml"),
    (GARDEN, "Who planted the pear tree?", "grandmother"),
    (GARDEN, "Who gave us the saplings?", "neighbours"),
    (GARDEN, "When will the shed be painted?", "Next spring"),
    (GARDEN, "When was the shed built?", "1998"),
    (GARDEN, "What was the shed built from?", "oak boards"),
    (GARDEN, "From whom were the bees bought?", "beekeeper in Ayr"),
    (WARD, "Which ward was led by Dr Obi?", "ward 3"),
    (WARD, "Who was informed by telephone?", "daughter"),
    (TOWN, "When did the town hall burn down?", "1801"),
    (TOWN, "Who occupied Ellern?", "French troops"),
    (TOWN, "Until when was Ellern occupied?", "1813"),
    (TOWN, "Since when was Ellern occupied?", "1794"),
    (NOTES, "When was version 2.4 released?", "12 May 2025"),
    (NOTES, "What is the default cache size?", "256 MB"),
    (NOTES, "Where are logs written?", "/var/log/quill"),
    (NOTES, "Who reported the crash?", "Iris Chan"),
    (NOTES, "Who fixed the crash?", "Omar Haddad"),
    (NOTES, "What did Marta Quill measure?", "lifetime of the neutron"),
    (RULES, "Where are disputes heard?", "boathouse"),
    (RULES, "Who hears disputes?", "committee"),
    (RULES, "How are boats booked?", "by e-mail"),
    (RULES, "To whom is damage reported?", "Ivo Lenz"),
]


@pytest.mark.parametrize(
    ("texts", "question", "missing"), NOT_TOLD, ids=[q for _, q, _ in NOT_TOLD]
)
def test_what_is_not_told_is_not_answered(
    ask: Any, texts: dict[str, str], question: str, missing: str
) -> None:
    answer = ask(question, texts)

    assert answer.abstained, answer.sentence
    assert answer.missing == (missing,)


@pytest.mark.parametrize(("texts", "question", "right"), TOLD, ids=[q for _, q, _ in TOLD])
def test_what_is_told_is_answered(
    ask: Any, texts: dict[str, str], question: str, right: str
) -> None:
    answer = ask(question, texts)

    assert answer.answer == right
    assert answer.confidence > 0.5
