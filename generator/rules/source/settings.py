"""A player's settings: options, and figures for gaps in the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, Span, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from generator.rules.source.parts import Part, Place


class Setting(NamedTuple):
    """An option or a gap with the value that the player gives it, and the places of both."""

    ruleset: str
    """The rule set that the setting is for; empty for any rule set."""
    name: str
    value: Any
    span: Span
    value_span: Span
    field: str = ""
    place: Place | None = None
    """The place in a file, such as a settings file or a force; None if no file gives the setting."""

    def spans(self) -> tuple[Span, Span]:
        """Return the places of the name and of the value."""
        return self.span, self.value_span

    def refuse(self, code: str, expected: str, found: str, hint: str = "", *, at_value: bool = False) -> Problem:
        """Return a problem at the name of this setting, or at its value if ``at_value``."""
        span = self.value_span if at_value else self.span
        return Problem(code, span, expected, found, self.field or self.name, hint)


class Settings(NamedTuple):
    """All settings in the order in which they were given; later settings win."""

    options: tuple[Setting, ...] = ()
    answers: tuple[Setting, ...] = ()

    def options_for(self, rulesets: set[str]) -> tuple[Setting, ...]:
        """Return the options for one of these rule sets, or for any rule set."""
        return tuple(option for option in self.options if option.ruleset in rulesets or not option.ruleset)

    def answers_for(self, rulesets: set[str]) -> tuple[Setting, ...]:
        """Return the figures for gaps of these rule sets."""
        return tuple(answer for answer in self.answers if answer.ruleset in rulesets)

    def refused_by(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return those of the problems that are at the name or the value of a setting from a file."""
        in_files = (setting for setting in (*self.options, *self.answers) if setting.place is not None)
        spans = {span for setting in in_files for span in setting.spans()}
        return tuple(problem for problem in problems if problem.span in spans)

    def without(self, problems: Iterable[Problem]) -> Settings:
        """Return the settings without those that these problems are about."""
        spans = {problem.span for problem in problems}
        return Settings(*(tuple(item for item in listed if spans.isdisjoint(item.spans())) for listed in self))

    def by_path(self) -> dict[str, Any]:
        """Return the values by path, such as ``options.tin-soldiers.fog``; the last value of a path counts.

        The rule set in the path is empty for an option for any rule set: ``options..fog``.
        """
        return {
            f"{what}.{item.ruleset}.{item.name}": item.value for what, items in self._asdict().items() for item in items
        }

    def by_ruleset(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the settings as a file has them: under ``options`` and ``answers``, by rule set and name.

        Options for any rule set are under an empty id. Without options or answers, the key is missing.
        """
        by_category: dict[str, dict[str, dict[str, Any]]] = {}
        for what, listed in self._asdict().items():
            for item in listed:
                by_category.setdefault(what, {}).setdefault(item.ruleset, {})[item.name] = item.value
        return by_category

    def __or__(self, more: object) -> Settings:
        """Return these settings followed by others, which win."""
        if not isinstance(more, Settings):
            return NotImplemented
        return Settings((*self.options, *more.options), (*self.answers, *more.answers))


NOTHING_SET = Settings()


def unknown_rulesets(settings: Settings, known: Collection[str]) -> tuple[Problem, ...]:
    """Return R301 for each rule set for which a file has settings, if its id is not ``known``.

    A known rule set need not be one that the command uses. Settings from the command line are not checked.
    """
    by_name = (
        (item.place._replace(path=item.place.path[:2]), item.ruleset)
        for item in (*settings.options, *settings.answers)
        if item.place is not None and item.ruleset not in known
    )
    return tuple(
        at.problem("R301", "a rule set", name, suggest(name, known), at_key=True) for at, name in dict.fromkeys(by_name)
    )


def settings_of_words(words: Sequence[str]) -> Settings:
    """Return the options that ``--set`` names, each as name=value.

    Names and values are checked when a rule set is loaded; a repeated name is kept each time, and the last one wins.
    Raises ProblemsError (R311) for a word without a name or a value.
    """
    from generator.parsing.text import split_words

    assignments = split_words(words)
    return Settings(tuple(Setting("", word.name, word.value, word.span, word.value_span) for word in assignments))


def read_settings(path: Path) -> Settings:
    """Read a settings file. Raises ProblemsError: F1xx if it cannot be read, R202 or R203 for wrong keys or types.

    The names of options and gaps, and their values, are checked when a rule set is loaded.
    """
    from generator.rules.model.manifest import SettingsModel
    from generator.rules.source.validation import read_model

    _, part = read_model(SettingsModel, path)
    return settings_in(part)


def settings_in(part: Part) -> Settings:
    """Return the options and answers in a file: a settings file, or a force or scenario with the same keys.

    Settings that the model refuses are left out without a problem; validate the file to report them.
    """
    from generator.rules.model.manifest import SettingsModel
    from generator.rules.source.validation import validate

    found: dict[str, list[Setting]] = {"options": [], "answers": []}
    for what, settings in found.items():
        by_ruleset = (part.value or {}).get(what)
        for ruleset, by_name in by_ruleset.items() if isinstance(by_ruleset, dict) else ():
            for name, value in by_name.items() if isinstance(by_name, dict) else ():
                path = (what, ruleset, name)
                if validate(SettingsModel, {what: {ruleset: {name: value}}}, part.place, []) is not None:
                    spans = part.document.key_span(path), part.document.span(path)
                    settings.append(Setting(ruleset, name, value, *spans, ".".join(path), part.place(path)))
    return Settings(tuple(found["options"]), tuple(found["answers"]))
