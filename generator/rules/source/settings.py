"""What a player sets for all that a command does: options, and figures that are a gap in the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from generator.rules.source.parts import Part, Place


class Setting(NamedTuple):
    """A name, the value given to it, and where that stands."""

    ruleset: str
    """The rule set it is meant for; nothing for whichever is asked."""
    name: str
    value: Any
    span: Span
    value_span: Span
    field: str = ""
    place: Place | None = None
    """In a file of settings."""

    def said(self) -> str:
        """The value as a problem names it."""
        from generator.rules.source.model_errors import show

        return show(self.value)

    def spans(self) -> tuple[Span, Span]:
        """Where its name stands, and where its value does."""
        return self.span, self.value_span

    def refuse(self, code: str, expected: str, found: str, hint: str = "", *, at_value: bool = False) -> Problem:
        """A problem with this setting: with its name, or with its value."""
        span = self.value_span if at_value else self.span
        return Problem(code, span, expected, found, self.field or self.name, hint)


class Settings(NamedTuple):
    """Everything that was set, in the order in which it was said: later words win."""

    options: tuple[Setting, ...] = ()
    answers: tuple[Setting, ...] = ()

    def options_for(self, rulesets: set[str]) -> tuple[Setting, ...]:
        """The options that are meant for one of these rule sets, or for any."""
        return tuple(option for option in self.options if option.ruleset in rulesets or not option.ruleset)

    def answers_for(self, rulesets: set[str]) -> tuple[Setting, ...]:
        """The answers that are meant for one of these rule sets."""
        return tuple(answer for answer in self.answers if answer.ruleset in rulesets)

    def refused_by(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Those of the problems that are about settings in files: with a name, or with its value."""
        spans = {
            span for option in (*self.options, *self.answers) if option.place is not None for span in option.spans()
        }
        return tuple(problem for problem in problems if problem.span in spans)

    def without(self, problems: Iterable[Problem]) -> Settings:
        """Those that none of these problems is about."""
        told = {problem.span for problem in problems}
        return Settings(*(tuple(item for item in listed if told.isdisjoint(item.spans())) for listed in self))

    def by_ruleset(self) -> dict[str, dict[str, dict[str, Any]]]:
        """What was set as a file has it: ``options`` and ``answers``, where there are any, by rule set and name."""
        found: dict[str, dict[str, dict[str, Any]]] = {}
        for what, listed in self._asdict().items():
            for item in listed:
                found.setdefault(what, {}).setdefault(item.ruleset, {})[item.name] = item.value
        return found

    def __or__(self, more: object) -> Settings:
        """These settings and then others."""
        if not isinstance(more, Settings):
            return NotImplemented
        return Settings((*self.options, *more.options), (*self.answers, *more.answers))


NOTHING_SET = Settings()


def unknown_rulesets(settings: Settings, known: Collection[str]) -> tuple[Problem, ...]:
    """R301: settings are meant for a rule set that nobody has. One that a command does not use is none of these."""
    found: dict[Place, Problem] = {}
    for option in (*settings.options, *settings.answers):
        at = option.place._replace(path=option.place.path[:2]) if option.place is not None else None
        if at is not None and option.ruleset not in known and at not in found:
            hint = suggest(option.ruleset, known)
            found[at] = at.problem("R301", found=option.ruleset, expected="a rule set", hint=hint, at_key=True)
    return tuple(found.values())


def settings_of_words(words: Sequence[str]) -> Settings:
    """The options that ``--set`` names, each as name=value. Raises ProblemsError (R311) for other words."""
    from generator.parsing.assignments import split_words

    said = split_words(words)
    return Settings(tuple(Setting("", word.name, word.value, word.span, word.value_span) for word in said))


def read_settings(path: Path) -> Settings:
    """A file of settings. Raises ProblemsError: F1xx a file that cannot be read, R201 to R203 one of another shape."""
    from generator.parsing.yaml12 import read_yaml
    from generator.rules.model.settings import SettingsModel
    from generator.rules.source.parts import Part
    from generator.rules.source.validation import validate

    document, unread = read_yaml(path, str(path))
    problems = list(unread)
    if document is None:
        raise ProblemsError(*problems)
    part = Part("", document)
    validate(SettingsModel, part.value if part.value is not None else {}, part.place, problems)
    if problems:
        raise ProblemsError(*problems)
    return settings_in(part)


def settings_in(part: Part) -> Settings:
    """The options and answers in a file, as far as they can be used: what its model refuses has been told."""
    return Settings(tuple(_settings(part, "options")), tuple(_settings(part, "answers")))


def _settings(part: Part, what: str) -> Iterator[Setting]:
    from generator.rules.model.settings import SettingsModel
    from generator.rules.source.validation import validate

    given = (part.value or {}).get(what)
    for ruleset, named in given.items() if isinstance(given, dict) else ():
        for name, value in named.items() if isinstance(named, dict) else ():
            path = (what, ruleset, name)
            setting = {what: {ruleset: {name: value}}}
            if validate(SettingsModel, setting, part.place, []) is not None and not part.place(path).refused():
                spans = part.document.key_span(path), part.document.span(path)
                yield Setting(ruleset, name, value, *spans, ".".join(path), part.place(path))
