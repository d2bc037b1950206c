from __future__ import annotations

import pytest

from generator.render.type.prose import inline


@pytest.mark.parametrize("die", ["D4", "D6", "D8", "D10", "D12"])
def test_a_die_as_a_whole_word_is_drawn(die: str) -> None:
    assert str(inline(f"roll {die}.")) == f'roll <span class="die">{die}</span>.'


@pytest.mark.parametrize("text", ["D20", "D100", "2D6", "D6s", "d6", "AD8"])
def test_anything_else_stays_text(text: str) -> None:
    assert str(inline(text)) == text


def test_bold_and_italic_are_all_the_markup_there_is() -> None:
    assert str(inline("**a** *b* `c` [d](http://e) ![f](g)")) == (
        "<strong>a</strong> <em>b</em> `c` [d](http://e) ![f](g)"
    )


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "*x* <b>y</b>", "{{ 7 * 7 }}", "{% raw %}", "&D8;", "a & b", '" onload="x']
)
def test_user_text_is_escaped_with_and_without_markup(text: str) -> None:
    html = str(inline(text))
    assert "<script" not in html
    assert "<b>" not in html
    assert "&D8;" not in html
    assert '"' not in html.replace('class="die"', "")


def test_a_status_becomes_a_mark() -> None:
    assert str(inline("D6 {read}")) == '<span class="die">D6</span> <span class="status">read</span>'
    assert str(inline("{unknown}")) == "{unknown}"


def test_short_words_joined_by_a_slash_stay_together_and_tags_stay_tags() -> None:
    assert str(inline("**GMS/H** and D6/D8")) == (
        '<strong><span class="joined">GMS/H</span></strong> and <span class="joined">'
        '<span class="die">D6</span>/<span class="die">D8</span></span>'
    )
    assert str(inline("*a* b/c/d https://example.org")) == "<em>a</em> b/c/d https://example.org"


@pytest.mark.parametrize(
    ("text", "joined"),
    [("16–24.5″ north", "16–24.5″"), ("13.5–16″", "13.5–16″"), ("pp. 3–12.", "pp.\N{NO-BREAK SPACE}3–12")],
)
def test_from_and_to_stay_together_with_their_fractions_and_inches(text: str, joined: str) -> None:
    assert f'<span class="joined">{joined}</span>' in str(inline(text))
