"""Tokens of boolean programs (language.md section 1)."""

import re

RESERVED = frozenset(
    "decl void bool begin end if then else elsif fi while do od skip goto return"
    " assert assume print constrain enforce schoose".split())
CONSTANTS = {"0": 0, "1": 1, "T": 1, "F": 0, "true": 1, "false": 0}

_NAME_CHAR = r"[A-Za-z0-9_$#]"
_TOKEN = re.compile(
    r"(?P<blank>[ \t\n\f\v\r]+|//[^\n]*|/\*.*?\*/)"
    rf"|(?P<id>[A-Za-z_$](?:{_NAME_CHAR}|-(?={_NAME_CHAR}))*|\{{[^{{}}\n]+\}})"
    r"|(?P<num>[0-9]+)"
    r"|(?P<op>:=|!=|=>|&&|\|\||[;,:()<>\[\]!~&|^=*?'])",
    re.DOTALL)


class SourceError(Exception):
    """The text is not a boolean program; line and column say where."""

    def __init__(self, line, column, message):
        super().__init__(f"{line}:{column}: {message}")
        self.line, self.column, self.message = line, column, message


class Token:
    """One token; kind is id, num, op, word (a reserved word) or eof."""

    __slots__ = ("kind", "text", "line", "column")

    def __init__(self, kind, text, line, column):
        self.kind, self.text, self.line, self.column = kind, text, line, column


def tokenize(text):
    """The tokens of text, ending with an eof token."""
    tokens, position, line, line_start = [], 0, 1, 0
    while position < len(text):
        column = position - line_start + 1
        match = _TOKEN.match(text, position)
        if match is None:
            what = "comment is not closed" if text.startswith("/*", position) \
                else f"unexpected character {text[position]!r}"
            raise SourceError(line, column, what)
        kind, lexeme = match.lastgroup, match.group()
        if kind == "id" and lexeme in RESERVED:
            kind = "word"
        if kind != "blank":
            tokens.append(Token(kind, lexeme, line, column))
        newlines = lexeme.count("\n")
        if newlines:
            line += newlines
            line_start = position + lexeme.rindex("\n") + 1
        position = match.end()
    tokens.append(Token("eof", "end of file", line, position - line_start + 1))
    return tokens
