# SPDX-License-Identifier: MIT
"""Linear temporal logic on words u v^w, and automata of the HOA format run on them. Independent of lib/.

A formula is a tuple: ("atom", name), ("true",), ("not", a), ("U", a, b) and so on. A word is
(prefix, loop), two lists of sets of atoms; the loop is not empty.
"""

import re

TOKEN = re.compile(
    r'\s*(?:(<->|<=>|->|=>|&&|\|\||\[\]|<>|[&|!~()])|("(?:[^"\\]|\\.)*")'
    r"|((?:in|enter|exit)\s*\(\s*[\w$]+\s*\)|NAME\.\d+|(?:NAME\.)?NAME|[01]))".replace(
        "NAME", r"(?:[A-Za-z_$](?:-?[\w$#])*|\{[^{}\n]+\})")
)
PREFIX = {"X": "X", "F": "F", "G": "G", "[]": "G", "<>": "F", "!": "not", "~": "not"}
BINARY = {"<->": (1, "iff"), "<=>": (1, "iff"), "->": (2, "implies"), "=>": (2, "implies"),
          "||": (3, "or"), "|": (3, "or"), "&&": (4, "and"), "&": (4, "and"),
          "U": (5, "U"), "R": (5, "R"), "W": (5, "W"), "M": (5, "M")}  # fmt: skip
RIGHT = {"implies", "U", "R", "W", "M"}


def tokens(text):
    at, found = 0, []
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"{text!r} at {at}")
        at = match.end()
        if match[2]:
            found.append(("atom", re.sub(r"\\(.)", r"\1", match[2][1:-1])))
        elif match[3] and re.fullmatch("[FGX]+", match[3]):
            found += [("op", letter) for letter in match[3]]
        elif match[3] in ("0", "false", "1", "true"):
            found.append(("const", "true" if match[3] in ("1", "true") else "false"))
        elif match[1] or match[3] in BINARY:
            found.append(("op", match[1] or match[3]))
        else:
            found.append(("atom", re.sub(r"\s", "", match[3]) if match[3].endswith(")") else match[3]))
    return found


class Parser:
    def __init__(self, text):
        self.rest = tokens(text)[::-1]

    def peek(self):
        return self.rest[-1] if self.rest else (None, None)

    def unary(self):
        kind, text = self.rest.pop()
        if kind == "atom":
            return ("atom", text)
        if kind == "const":
            return (text,)
        if text == "(":
            inside = self.binary(0)
            if self.rest.pop() != ("op", ")"):
                raise ValueError("parenthesis")
            return inside
        return (PREFIX[text], self.unary())

    def binary(self, least):
        left = self.unary()
        while self.peek()[0] == "op" and self.peek()[1] in BINARY:
            level, op = BINARY[self.peek()[1]]
            if level < least:
                break
            self.rest.pop()
            left = (op, left, self.binary(level if op in RIGHT else level + 1))
        return left


def parse(text):
    parser = Parser(text)
    formula = parser.binary(0)
    if parser.rest:
        raise ValueError(f"left over: {parser.rest[::-1]}")
    return formula


def holds_everywhere(formula, word, memo=None):
    """The values of a formula at all positions of u v."""
    memo = {} if memo is None else memo
    if formula in memo:
        return memo[formula]
    prefix, loop = word
    letters = prefix + loop
    count = len(letters)
    after = [i + 1 if i + 1 < count else len(prefix) for i in range(count)]
    op = formula[0]
    a, b = [holds_everywhere(f, word, memo) for f in formula[1:] if op != "atom"] + [None] * (
        2 if op == "atom" else 3 - len(formula)
    )
    each = range(count)

    def fixpoint(start, step):
        value = [start] * count
        for _ in range(count + 1):
            for i in reversed(each):
                value[i] = step(i, value[after[i]])
        return value

    if op == "atom":
        value = [formula[1] in letter for letter in letters]
    elif op in ("true", "false"):
        value = [op == "true"] * count
    else:
        value = {
            "not": lambda: [not a[i] for i in each],
            "and": lambda: [a[i] and b[i] for i in each],
            "or": lambda: [a[i] or b[i] for i in each],
            "implies": lambda: [not a[i] or b[i] for i in each],
            "iff": lambda: [a[i] == b[i] for i in each],
            "X": lambda: [a[after[i]] for i in each],
            "F": lambda: fixpoint(False, lambda i, n: a[i] or n),
            "G": lambda: fixpoint(True, lambda i, n: a[i] and n),
            "U": lambda: fixpoint(False, lambda i, n: b[i] or (a[i] and n)),
            "W": lambda: fixpoint(True, lambda i, n: b[i] or (a[i] and n)),
            "R": lambda: fixpoint(True, lambda i, n: b[i] and (a[i] or n)),
            "M": lambda: fixpoint(False, lambda i, n: b[i] and (a[i] or n)),
        }[op]()
    memo[formula] = value
    return value


def holds(formula, word):
    return holds_everywhere(formula, word)[0]


# ---- automata ---------------------------------------------------------------


def label_function(text, aps):
    """A label as a function of a letter; `aps` are the names of the propositions."""
    code = re.sub(
        r"\d+|[tf&|!]",
        lambda m: {"t": " True ", "f": " False ", "&": " and ", "|": " or ", "!": " not "}.get(
            m[0], m[0] if not m[0].isdigit() else f" (aps[{m[0]}] in letter) "
        ),
        text,
    )
    return eval(f"lambda letter: {code}", {"aps": aps})  # of our own making


class Automaton:
    """What `bp_automaton_write_hoa()` writes: labels and acceptance on edges."""

    def __init__(self, text):
        header, body = text.split("--BODY--\n")
        self.aps = [re.sub(r"\\(.)", r"\1", m) for m in
                    re.findall(r'"((?:[^"\\]|\\.)*)"', re.search(r"^AP:.*", header, re.MULTILINE)[0])]  # fmt: skip
        self.starts = [int(n) for n in re.findall(r"^Start: (\d+)", header, re.MULTILINE)]
        self.states = int(re.search(r"^States: (\d+)", header, re.MULTILINE)[1])
        self.sets = int(re.search(r"^Acceptance: (\d+)", header, re.MULTILINE)[1])
        self.edges = [[] for _ in range(self.states)]
        state = None
        for line in body.splitlines():
            if line.startswith("State: "):
                state = int(line[7:])
            match = re.match(r"\[(.*)\] (\d+)(?: \{([\d ]*)\})?$", line)
            if match:
                sets = frozenset(int(n) for n in (match[3] or "").split())
                self.edges[state].append((label_function(match[1], self.aps), int(match[2]), sets))

    def accepts(self, word):
        prefix, loop = word
        letters = prefix + loop
        graph, todo = {}, [(s, 0) for s in self.starts]
        while todo:
            node = todo.pop()
            if node in graph:
                continue
            state, at = node
            then = at + 1 if at + 1 < len(letters) else len(prefix)
            graph[node] = [((to, then), sets) for label, to, sets in self.edges[state] if label(letters[at])]
            todo += [to for to, _ in graph[node]]
        return any(self.good(component, graph) for component in components(graph))

    def good(self, component, graph):
        inside = [sets for node in component for to, sets in graph[node] if to in component]
        return bool(inside) and set().union(*inside) >= set(range(self.sets))


def components(graph):
    """Strongly connected components, by two searches (Kosaraju)."""
    order, seen = [], set()
    for root in graph:
        stack = [] if root in seen else [(root, iter(graph[root]))]
        seen.add(root)
        while stack:
            node, successors = stack[-1]
            for to, _ in successors:
                if to not in seen:
                    seen.add(to)
                    stack.append((to, iter(graph[to])))
                    break
            else:
                order.append(node)
                stack.pop()
    back = {node: [] for node in graph}
    for node, successors in graph.items():
        for to, _ in successors:
            back[to].append(node)
    taken = set()
    for root in reversed(order):
        if root in taken:
            continue
        component, todo = set(), [root]
        taken.add(root)
        while todo:
            node = todo.pop()
            component.add(node)
            for to in back[node]:
                if to not in taken:
                    taken.add(to)
                    todo.append(to)
        yield component
