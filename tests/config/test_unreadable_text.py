"""Text that is no YAML, or YAML made to hurt: one clear fault at its place, and soon."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teamwright.config.load import load_text

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "1:1: (file): the file is empty, write at least one setting such as `agents:`"),
        (b"# only a comment\n", "1:1: (file): the file is empty, write at least one setting such as `agents:`"),
        (b"~", "1:1: (file): the file is empty, write at least one setting such as `agents:`"),
        (b"- a", "1:1: (file): the file holds a list, it must be a mapping such as `agents: […]`"),
        (b"\n  sk-secret", "2:3: (file): the file holds a single value, it must be a mapping such as `agents: […]`"),
        (b"agents:\n\t- id: a", "2:1: (file): not YAML: a tab indents this line, use spaces"),
        (
            b"a: b: c",
            "1:5: (file): not YAML: a second ': ' on one line or wrong indentation, put quotes around the value",
        ),
        (b"a: [1, 2", "2:1: (file): not YAML: a bracket is never closed, close it"),
        (b"a: 'x", "1:6: (file): not YAML: a quote is never closed, close it"),
        (b"a: @x", "1:4: (file): not YAML: a value cannot begin with this character, put quotes around it"),
        (
            b"api_key: *sk-secret",
            (
                "1:10: (file): not YAML: this alias has no anchor before it, define `&name` first "
                "or put quotes around the value"
            ),
        ),
        (b"a: 1\n---\nb: 2", "2:1: (file): not YAML: a second document begins here, keep one document per file"),
        (
            b'a: "\\q"',
            "1:5: (file): not YAML: an unknown escape in double quotes, double the backslash or use single quotes",
        ),
        (b"a: x\xff", "1:5: (file): byte 0xff is not UTF-8, save the file as UTF-8"),
        ("a: x".encode("utf-16"), "1:1: (file): byte 0xff is not UTF-8, save the file as UTF-8"),
        (b"a: 1\nb: \x00", "2:4: (file): character U+0000 is not allowed in YAML, remove it"),
        (b"a: 1\na: 2", "2:1: a: this key stands twice, first on line 1, keep one of them"),
        (b"a: {b: 1, 'b': 2}", "1:11: a.b: this key stands twice, first on line 1, keep one of them"),
        (b"a: !!python/object:os.system x", "1:4: a: this tag is not supported, remove it"),
        (b"a: !!set {x}", "1:4: a: this tag is not supported, remove it"),
        (b"[a]: 1", "1:1: (file): a key must be a single word, not a list or mapping"),
        (b"<<: 3", '1:5: ["<<"]: only mappings can be merged, write `<<: *name` here'),
        (
            b"a: " + b"9" * 5000,
            "1:4: a: not a number or switch that can be read, put quotes around it if it is text",
        ),
        (b"a: !!bool perhaps", "1:4: a: not a number or switch that can be read, put quotes around it if it is text"),
        (b"a: &a [*a]", "1:4: a[0]: this value contains itself, write it out"),
        (b"[" * 100_000, "1:41: (file): nested deeper than 40 levels, make it flatter"),
        (b"{a: " * 60_000, "1:161: (file): nested deeper than 40 levels, make it flatter"),
        (b"- " * 100_000, "1:81: (file): nested deeper than 40 levels, make it flatter"),
        (
            BOMB.encode(),
            "1:34: a3[3][3][8][8]: more than 5000 values with aliases expanded, make it smaller",
        ),
        (b"a: " + b"x" * 10_000_000, "1:1: (file): the file is larger than 256 KiB, make it smaller"),
    ],
)
def test_it_is_refused_with_its_place_in_under_a_second(content: bytes, fault: str) -> None:
    started = time.process_time()
    loaded = load_text(content, "f")
    assert time.process_time() - started < 1
    assert [str(each) for each in loaded.faults] == [f"f:{fault}"]
    assert (loaded.settings, loaded.tree, loaded.warnings) == (None, None, ())


@pytest.mark.parametrize(
    "content",
    [
        "".join(f"key{n}: 1\n" for n in range(4_900)),
        "agents:\n" + "".join(f"- {{id: a{n}, backend: {{type: typo{n}}}}}\n" for n in range(900)),
        "orchestrator: {context_paths: [" + "{path: x, permission: wirte}, " * 1_600 + "]}",
        "agents:\n" + "".join(f"- {{id: same, backend: {{type: offline, k{n}: 1}}}}\n" for n in range(700)),
        "%TAG !a! tag:x\n" * 17_000 + "---\na: 1",
        "a: &a {" + ", ".join(f"k{n}: 1" for n in range(1_500)) + "}\nb: {<<: [*a, *a]}",
    ],
    ids=["unknown keys", "unknown types", "unknown values", "one name", "directives", "merges"],
)
def test_a_great_many_mistakes_are_told_in_under_a_second(content: str) -> None:
    started = time.process_time()
    load_text(content, "f")
    assert time.process_time() - started < 1


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert load_text(b"\xef\xbb\xbftimeout_settings: {}", "f").faults == ()
    assert load_text("\ufefftimeout_settings: {}", "f").faults == ()


def test_anchors_aliases_and_merges_are_understood() -> None:
    loaded = load_text(
        """\
agents:
  - id: a
    backend: &shared {type: openai, model: gpt, temperature: 0.5}
  - id: b
    backend: {<<: *shared, temperature: 1}
  - id: c
    backend: *shared
""",
        "f",
    )
    assert loaded.settings is not None
    assert [(each.backend.model, each.backend.temperature) for each in loaded.settings.agents] == [
        ("gpt", 0.5),
        ("gpt", 1),
        ("gpt", 0.5),
    ]


_WORDS = st.sampled_from(
    [
        *[
            "agents",
            "agent",
            "backend",
            "type",
            "openai",
            "orchestrator",
            "interactive_mode",
            "mcp_servers",
            "timeout_settings",
            "api_key",
        ],
        *[
            "${X}",
            "on",
            "off",
            "null",
            "~",
            "1e400",
            ".nan",
            "0x_",
            "2001-13-45",
            "&a",
            "*a",
            "<<",
            "!!int",
            "|",
            "[",
            "]",
            "{",
            "}",
            "#",
            "\x00",
            "é",
        ],
        *(": ", "- ", "\n", "\n  ", "\n    ", ", ", "'", '"', "\t", "---\n", "%YAML 1.1\n"),
    ]
)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_no_bytes_ever_raise(content: bytes) -> None:
    _assert_an_outcome(content)


@given(st.text(max_size=200))
@settings(deadline=None)
def test_no_text_ever_raises(text: str) -> None:
    _assert_an_outcome(text)


@given(st.lists(_WORDS, max_size=40).map("".join))
@settings(deadline=None)
def test_no_mixture_of_what_files_are_made_of_ever_raises(text: str) -> None:
    _assert_an_outcome(text)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_SETTINGS = st.recursive(
    _VALUES,
    lambda inner: st.dictionaries(
        st.sampled_from(
            [
                "agents",
                "agent",
                "id",
                "backend",
                "type",
                "model",
                "headers",
                "reasoning",
                "mcp_servers",
                "env",
                "command",
                "orchestrator",
                "context_paths",
                "interactive_mode",
                "require_approval",
                "budget",
                "timeout_settings",
            ]
        ),
        inner | st.lists(inner, max_size=2),
        max_size=4,
    ),
    max_leaves=12,
)


@given(_SETTINGS)
@settings(deadline=None)
def test_no_value_at_any_depth_ever_raises(value: object) -> None:
    import yaml

    _assert_an_outcome(yaml.safe_dump(value, allow_unicode=True))


def _assert_an_outcome(content: str | bytes) -> None:
    loaded = load_text(content, "f")
    assert (loaded.settings is None) == bool(loaded.faults)
    for problem in (*loaded.faults, *loaded.warnings):
        assert len(str(problem).splitlines()) == 1
        assert problem.place.line >= 1
        assert problem.place.column >= 1
