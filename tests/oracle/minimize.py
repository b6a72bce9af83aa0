"""Makes a program that shows a disagreement smaller as long as it still shows it."""

import copy
import time

from boolprog import statements
from explicit import TooBig
from generate import all_blocks
from judge import Mismatch
from lexer import SourceError
from show import show


def minimize(text, program, still_bad, seconds=60):
    """A small text for which still_bad holds; program is the tree of text."""
    plain = show(program)
    if not still_bad(plain):
        return drop_lines(text, still_bad, time.monotonic() + seconds)
    deadline = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < deadline:
        smaller = False
        index = 0
        while time.monotonic() < deadline:
            candidate = copy.deepcopy(program)
            changes = edits(candidate)
            if index >= len(changes):
                break
            changes[index]()
            new = show(candidate)
            if len(new) < len(plain) and still_bad(new):
                program, plain, smaller = candidate, new, True
            else:
                index += 1
    return plain


def drop_lines(text, still_bad, deadline):
    """Leave out runs of lines, long runs first."""
    lines = text.splitlines(keepends=True)
    chunk = len(lines) // 2
    while chunk and time.monotonic() < deadline:
        at = 0
        while at < len(lines):
            shorter = lines[:at] + lines[at + chunk:]
            if still_bad("".join(shorter)):
                lines = shorter
            else:
                at += chunk
        chunk //= 2
    return "".join(lines)


def edits(program):
    """Functions that each make the tree smaller in one way, the big ones first."""
    result = [lambda name=name: program.procs.pop(name) for name in program.procs]
    blocks = [block for proc in program.procs.values() for block in all_blocks(proc.body)]
    for block in blocks:
        for chunk in (8, 4, 2, 1):
            for at in range(0, len(block), chunk):
                result.append(lambda block=block, at=at, chunk=chunk:
                              block.__delitem__(slice(at, at + chunk)))
    for block in blocks:
        for at, stmt in enumerate(block):
            for inner in stmt.blocks() if stmt.arms else ():
                result.append(lambda block=block, at=at, inner=inner:
                              block.__setitem__(slice(at, at + 1), inner))
    result += [lambda name=name: program.globals.pop(name) for name in program.globals]
    result += [lambda name=name: program.globals.update({name: None})
               for name, init in program.globals.items() if init]
    for proc in program.procs.values():
        for stmt in statements(proc.body):
            result += statement_edits(stmt)
    return result


def statement_edits(stmt):
    """Ways to make one statement smaller."""

    def change(name, value):
        return lambda: setattr(stmt, name, value)

    result = []
    if stmt.labels:
        result += [change("labels", stmt.labels[1:]), change("labels", stmt.labels[:-1])]
    if stmt.relation is not None:
        result.append(change("relation", None))
        result += [change("relation", expr) for expr in smaller_exprs(stmt.relation)]
    if stmt.otherwise:
        result.append(change("otherwise", []))
    for arm in stmt.arms:
        if len(stmt.arms) > 1:
            result.append(change("arms", [each for each in stmt.arms if each is not arm]))
        result += [lambda arm=arm, expr=expr: setattr(arm, "cond", expr)
                   for expr in smaller_exprs(arm.cond)]
    if stmt.kind in ("goto", "dead") and len(stmt.names) > 1:
        result += [change("names", (name,)) for name in stmt.names]
    if stmt.kind == "assign" and len(stmt.names) > 1:
        result += [lambda at=at: drop_pair(stmt, at) for at in range(len(stmt.names))]
    if stmt.kind == "decl" and stmt.exprs:
        result.append(change("exprs", ()))
    for at, expr in enumerate(stmt.exprs):
        result += [change("exprs", stmt.exprs[:at] + (new,) + stmt.exprs[at + 1:])
                   for new in smaller_exprs(expr)]
    return result


def drop_pair(stmt, at):
    stmt.names = stmt.names[:at] + stmt.names[at + 1:]
    stmt.exprs = stmt.exprs[:at] + stmt.exprs[at + 1:]


def smaller_exprs(expr):
    """Constants, parts of the expression, and the expression with one part made smaller."""
    if expr[0] in ("const", "star", "var", "prime"):
        return [] if expr[0] == "const" else [("const", 0), ("const", 1)]
    result = [("const", 0), ("const", 1), *expr[1:]]
    for at in range(1, len(expr)):
        result += [expr[:at] + (new,) + expr[at + 1:] for new in smaller_exprs(expr[at])]
    return result


def predicate(judge_text, category):
    """still_bad for minimize: judge_text(text) raises the mismatch; only its category must stay."""

    def still_bad(text):
        try:
            judge_text(text)
        except Mismatch as mismatch:
            return mismatch.category == category
        except (SourceError, TooBig):
            return False
        return False
    return still_bad
