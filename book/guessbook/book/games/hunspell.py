"""The words of a Hunspell dictionary: stems, and rules that add prefixes and suffixes to them.

LibreOffice, Firefox and many systems have such dictionaries: a file .dic with the stems, and a file
.aff with the rules.
"""

from collections.abc import Collection, Iterator
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

from guessbook.book.errors import InvalidGameError, UsageError, printable
from guessbook.book.installation import install

# The folders of dictionaries on Linux and macOS.
FOLDERS = (
    "/usr/share/hunspell",
    "/usr/share/myspell",
    "/usr/share/myspell/dicts",
    "/Library/Spelling",
)
# The dictionaries in the package spylls. They come first, so that the words of a language are the
# same on all machines.
BUNDLED = {"en": "en/en_US", "ru": "ru/ru", "sv": "sv/sv_SE"}
# Languages that write all nouns with a capital. In other languages, a capital marks a name.
CAPITAL_NOUNS = frozenset({"de"})
# A word has at most this number of suffixes.
SUFFIXES = 2
# The encoding of the lines before the one that names the encoding.
FIRST_ENCODING = "Windows-1252"


def dictionary_of(language: str) -> Path | None:
    """Return the path of a language's dictionary, without its suffix.

    Return None if neither the package spylls nor the system has a dictionary. Raises UsageError if
    spylls has the dictionary, but is not installed.
    """
    if language in BUNDLED:
        return Path(_package().__file__).parent / "data" / BUNDLED[language]
    # The main variant comes first, such as de_DE before de_AT.
    main = f"{language}_{language.upper()}.dic"
    found = chain.from_iterable(
        [folder / main, folder / f"{language}.dic", *sorted(folder.glob(f"{language}_*.dic"))]
        for folder in map(Path, FOLDERS)
    )
    return next((path.with_suffix("") for path in found if path.is_file()), None)


def words_of(dictionary: Path, language: str, wanted: Collection[str]) -> list[str]:
    """Return those of the `wanted` words, in lower case, that a dictionary has, in the same order.

    Words that the dictionary knows only with a capital are omitted, because they are names, except
    in languages that capitalize all nouns. Compounds that the dictionary does not list are omitted,
    as are words that it marks as offensive.

    `dictionary` is a path without its suffix. Raises UsageError if the package spylls or a file is
    missing, and InvalidGameError if the files are not a dictionary.
    """
    package, name = _package(), printable(dictionary)
    try:
        forms = set(_forms(_read(package, dictionary)))
    except OSError as error:
        raise UsageError(
            f"cannot read {printable(error.filename or dictionary)}: a Hunspell dictionary is a file "
            ".dic and a file .aff of the same name"
        ) from None
    # The package has no errors of its own: a malformed file may end in any exception.
    except Exception as error:
        raise InvalidGameError(f"{name}.dic is not a Hunspell dictionary: {error}") from error
    if language in CAPITAL_NOUNS:
        forms |= {form.lower() for form in forms if form.istitle()}
    return [word for word in wanted if word in forms]


def _package() -> Any:
    try:
        from spylls import hunspell
    except ImportError:
        raise UsageError(
            "the package spylls, which reads Hunspell dictionaries, is not installed; get it with: "
            + install("words")
        ) from None
    return hunspell


def _read(package: Any, dictionary: Path) -> Any:
    """Return the rules and the stems of a dictionary."""
    from spylls.hunspell.readers.file_reader import BaseReader

    class Reader(BaseReader):  # type: ignore[misc]  # the package has no types
        """A file in memory. The package's own readers do not close their files."""

        def __init__(self, suffix: str, encoding: str = FIRST_ENCODING) -> None:
            self.data = dictionary.with_name(dictionary.name + suffix).read_bytes()
            super().__init__(self._lines(encoding))

        def _lines(self, encoding: str) -> StringIO:
            # Flags may be bytes that are not UTF-8.
            return StringIO(self.data.decode(encoding, "surrogateescape"))

        def reset_encoding(self, encoding: str) -> None:
            self.reset_io(self._lines(encoding))

    rules, context = package.readers.read_aff(Reader(".aff"))
    stems = package.readers.read_dic(Reader(".dic", context.encoding), aff=rules, context=context)
    return package.Dictionary(rules, stems)


def _forms(dictionary: Any) -> Iterator[str]:
    """Yield every word of a dictionary, some of them several times.

    The package itself can only look up words one by one, which takes a minute in some languages.
    """
    rules = dictionary.aff
    # A form with one of these flags is not a word, or must not be suggested.
    incomplete = {flag for flag in (rules.ONLYINCOMPOUND, rules.NEEDAFFIX) if flag}
    hidden = {flag for flag in (rules.NOSUGGEST, rules.FORBIDDENWORD, rules.ONLYINCOMPOUND) if flag}
    for word in dictionary.dic.words:
        if word.flags & hidden:
            continue
        prefixes = [rule for flag in word.flags for rule in rules.PFX.get(flag, ())]
        for form, flags, crosses in _suffixed(rules.SFX, word.stem, word.flags):
            is_stem = form == word.stem
            if not flags & incomplete:
                yield form
            elif not is_stem:
                continue
            for rule in prefixes:
                allowed = is_stem or (crosses and rule.crossproduct)
                fits = form.startswith(rule.strip) and rule.cond_regexp.search(form)
                if allowed and fits and not rule.flags & incomplete:
                    yield rule.add + form[len(rule.strip) :]


def _suffixed(
    suffixes: Any, stem: str, flags: Any, most: int = SUFFIXES, crosses: bool = True
) -> Iterator[tuple[str, Any, bool]]:
    """Yield a stem and its forms with suffixes.

    Each form comes with its flags, and with whether it may also have a prefix.
    """
    yield stem, flags, crosses
    for rule in (rule for flag in flags for rule in suffixes.get(flag, ())) if most else ():
        if stem.endswith(rule.strip) and rule.cond_regexp.search(stem):
            form = stem[: len(stem) - len(rule.strip)] + rule.add
            crossing = crosses and rule.crossproduct
            yield from _suffixed(suffixes, form, rule.flags, most - 1, crossing)
