"""Plain text as LaTeX: words with what TeX would take for commands written out, and equations typed in Unicode."""

import re
import unicodedata

_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"}
_SPECIAL |= {c: rf"\{c}" for c in "#$%&_{}"}

_SIGNS = {
    "·": r"\cdot ",
    "×": r"\times ",
    "−": "-",
    "≤": r"\le ",
    "≥": r"\ge ",
    "±": r"\pm ",
    "≠": r"\ne ",
    "√": r"\surd ",
}
_SIGNS |= {
    "→": r"\to ",
    "∂": r"\partial ",
    "∞": r"\infty ",
    "…": r"\dots ",
    "°": r"^{\circ}",
    "∈": r"\in ",
    "½": r"\tfrac{1}{2}",
}
_SIGNS |= {"Σ": r"\sum ", "∑": r"\sum ", "⁻": "^{-}"}

_ACCENTS = {"\u0307": "dot", "\u0308": "ddot", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u20db": "dddot"}


_WORD = r"(?<![\w'])(?:[A-Za-z]{3,}(?:-[A-Za-z]{3,})*|of|or|is|to|in|by)(?![\w'])"
_PIECES = re.compile(rf"(?P<words>(?:{_WORD}[ ,]*)+)|_\w+|''?|\s+|.[\u0300-\u036f\u20d0-\u20ff]*")


def prose(text: str) -> str:
    """Words: Latin letters stand as they are, other signs become mathematics."""
    written: list[str] = []
    for c in _clusters(text):
        if c in _SPECIAL:
            written.append(_SPECIAL[c])
        elif c.isascii() or _is_latin(c):
            written.append(c if c.isprintable() else " ")
        else:
            written.append(f"${_sign(c).strip()}$")
    return _scripts_joined("".join(written).replace("$$", ""))


def mathematics(text: str) -> str:
    """An equation as one types it: q'' has two dots, R_j an index; words are those of three letters and a few of two."""
    text = re.sub(r"\s+", " ", text)
    pieces: list[str] = []
    for found in _PIECES.finditer(text):
        piece = found[0]
        if found["words"]:
            pieces.append(rf"\text{{ {piece.strip()} }}")
        elif piece.startswith("_") and len(piece) > 1:
            pieces.append(f"_{{{piece[1:]}}}")
        elif piece in ("'", "''") and pieces:
            pieces[-1] = rf"\{'ddot' if piece == chr(39) * 2 else 'dot'}{{{pieces[-1]}}}"
        else:
            pieces += [_sign(c) for c in _clusters(piece)]
    return _scripts_joined(re.sub(r" +", " ", "".join(pieces)).strip())


def _scripts_joined(tex: str) -> str:
    """A^{-1} in the place of A^{-}^{1}: one raised or lowered sign after another is one exponent or index."""
    return re.sub(r"([\^_])\{[^{}]*\}(?:\1\{[^{}]*\})+", lambda run: run[0].replace(f"}}{run[1]}{{", ""), tex)


def _clusters(text: str) -> list[str]:
    """Characters, each with the accents on it."""
    found: list[str] = []
    for c in unicodedata.normalize("NFC", text):
        if unicodedata.combining(c) and found:
            found[-1] += c
        else:
            found.append(c)
    return found


def _sign(cluster: str) -> str:
    """A character of mathematics with its accents."""
    base, *accents = unicodedata.normalize("NFD", cluster) if cluster[0] not in _SIGNS else cluster
    tex = _plain(base)
    for accent in accents:
        tex = rf"\{_ACCENTS[accent]}{{{tex.strip()}}}" if accent in _ACCENTS else tex
    return tex


def _plain(c: str) -> str:
    if c in _SIGNS:
        return _SIGNS[c]
    if c in "^\\~":
        return {"^": r"^{\wedge}", "\\": r"\backslash ", "~": r"\sim "}[c]
    if c in "#$%&_{}":
        return rf"\{c}"
    if c.isascii():
        return c if c.isprintable() else " "
    kind, _, rest = unicodedata.decomposition(c).partition(" ")
    if kind in ("<super>", "<sub>"):
        inner = "".join(_plain(chr(int(code, 16))) for code in rest.split())
        return f"{'^' if kind == '<super>' else '_'}{{{inner.strip()}}}"
    greek = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)", unicodedata.name(c, ""))
    if greek:
        word = {"LAMDA": "LAMBDA"}.get(greek[2], greek[2])
        return rf"\{word.lower() if greek[1] == 'SMALL' else word.capitalize()} "
    return rf"\text{{{c}}}" if _is_latin(c) else "?"


def _is_latin(c: str) -> bool:
    """A letter that the fonts have, accent and all."""
    return len(c) == 1 and ord(c) < 0x180 and unicodedata.name(c, "").startswith("LATIN")
