"""Text from a file, or given as it is."""

from pathlib import Path

from armillary.errors import FormatError

LARGEST = 2_000_000
"""Bytes that a file may have: some thousand bodies."""

TEXT = "(text)"
"""What errors call a text that is not from a file."""


def read_text(source: str | Path) -> tuple[str, str]:
    """(text, what errors call it): of a file, or of a `str` that has more than one line, which no path has.

    What is not UTF-8 is taken as Latin-1, in which old files have their accents.
    """
    if isinstance(source, str) and "\n" in source:
        if len(source) > LARGEST:
            raise FormatError(f"a text of {len(source)} characters; at most {LARGEST} are read")
        return source.removeprefix("\ufeff"), TEXT
    path = Path(source)
    try:
        if path.stat().st_size > LARGEST:
            raise FormatError(f"{path} has {path.stat().st_size} bytes; at most {LARGEST} are read")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise FormatError(f"{str(path)[:200]} cannot be read: {error}") from None
    try:
        return data.decode("utf-8-sig"), str(path)
    except UnicodeDecodeError:
        return data.decode("latin-1"), str(path)


def robot_name(file: str) -> str:
    """What a robot is called whose file does not say: the file without its folder and ending."""
    return "robot" if file == TEXT else Path(file).stem


def source_name(file: str) -> str:
    """What a description says of where it is from: the file without its folder, nothing for a text."""
    return "" if file == TEXT else Path(file).name
