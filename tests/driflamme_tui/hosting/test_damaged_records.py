"""Tests damaged records of parts: each causes one sentence, and the table opens anyway."""

import pytest

from driflamme_tui.hosting.parts import build_parts, part_kinds
from engine.texts import ExplainedError

RECORDS = (
    "",
    "x",
    "99999",
    "-5",
    "9" * 1900,
    "\u0663",
    "null",
    "{}",
    '{"a":' + "[" * 1990,
    '{"ssh":99999}',
    '{"web":-1}',
    '{"web":' + "9" * 1900 + "}",
    '{"web":0,"proxy":"https://a\\u001b]0;b"}',
    '{"web":0,"proxy":"\\ud800"}',
    '{"ssh":"\ud800"}',
    "table,\ud800",
    "driflamme-relay://a:1/" + "\u017f" * 64,
    "driflamme-relay://\ud800:1/" + "a" * 43,
)


@pytest.mark.parametrize("record", RECORDS, ids=range(len(RECORDS)))
@pytest.mark.parametrize("name", part_kinds())
def test_a_damaged_record_is_a_sentence_and_stops_no_table(name: str, record: str) -> None:
    sentences: list[str] = []
    parts = build_parts({name: record}, sentences.append, ())
    assert (name in parts) != bool(sentences)
    if sentences:
        assert sentences[0].endswith(" The table is open without it.")
        assert sentences[0].isprintable()
        with pytest.raises(ExplainedError):
            build_parts({name: record}, sentences.append, {name})
    else:
        assert parts[name].saved_record().isprintable()
