"""Büchi automata of LTL formulas by a plain tableau, letter by letter. Independent of lib/.

A state is what must hold of the rest of the word, a set of formulas in negation normal form, and a
level: the next until whose end is waited for. An edge is accepting when the last level is passed, so
a run with infinitely many of them postpones no until for ever. Formulas are tuples as in ltl.py.
"""

import itertools

# Written with U, R, X, and, or, and literals; the dual of each for negations.
DUAL = {"and": "or", "or": "and", "U": "R", "R": "U", "X": "X", "true": "false", "false": "true"}


def simple(formula):
    """The formula without implies, iff, F, G, W and M."""
    op = formula[0]
    if op in ("atom", "true", "false"):
        return formula
    a, b = [simple(part) for part in formula[1:]] + [None] * (3 - len(formula))
    return {
        "implies": lambda: ("or", ("not", a), b),
        "iff": lambda: ("or", ("and", a, b), ("and", ("not", a), ("not", b))),
        "F": lambda: ("U", ("true",), a),
        "G": lambda: ("R", ("false",), a),
        "W": lambda: ("R", b, ("or", a, b)),
        "M": lambda: ("U", b, ("and", a, b)),
    }.get(op, lambda: (op, *formula_parts(a, b)))()


def formula_parts(a, b):
    return (a,) if b is None else (a, b)


def normal(formula, positive=True):
    """Negation normal form of a simple formula; literals are ("literal", atom, positive)."""
    op = formula[0]
    if op == "atom":
        return ("literal", formula[1], positive)
    if op == "not":
        return normal(formula[1], not positive)
    return (op if positive else DUAL[op], *(normal(part, positive) for part in formula[1:]))


class Tableau:
    """The automaton that accepts the words on which a formula holds; states are numbers.

    A letter is a frozenset of atoms. edges() gives pairs (state, accepting).
    """

    def __init__(self, formula):
        self.parts, self.number, self.untils = [], {}, []
        root = self.intern(normal(simple(formula)))
        self.states, self.state_number, self.known = [], {}, {}
        self.starts = [self.state(frozenset([root]), 0)]

    def intern(self, formula):
        """The number of a subformula, its operands by their numbers."""
        if formula[0] != "literal":
            formula = (formula[0], *(self.intern(part) for part in formula[1:]))
        if formula not in self.number:
            self.number[formula] = len(self.parts)
            if formula[0] == "U":
                self.untils.append(len(self.parts))
            self.parts.append(formula)
        return self.number[formula]

    def state(self, obligations, level):
        key = obligations, level
        if key not in self.state_number:
            self.state_number[key] = len(self.states)
            self.states.append(key)
        return self.state_number[key]

    def edges(self, state, letter):
        found = self.known.get((state, letter))
        if found is None:
            obligations, level = self.states[state]
            found = {self.edge(ahead, postponed, level)
                     for ahead, postponed in self.together(obligations, letter)}
            found = self.known[state, letter] = sorted(found)
        return found

    def edge(self, ahead, postponed, level):
        while level < len(self.untils) and self.untils[level] not in postponed:
            level += 1
        accepting = level == len(self.untils)
        return self.state(ahead, 0 if accepting else level), accepting

    def together(self, obligations, letter):
        """The ways to satisfy all obligations here: pairs (what must hold next, untils put off)."""
        ways = {(frozenset(), frozenset())}
        for part in sorted(obligations):
            ways = both(ways, self.ways(part, letter))
        return ways

    def ways(self, part, letter):
        op, *rest = self.parts[part]
        if op == "literal":
            return {NOW} if (rest[0] in letter) == rest[1] else set()
        if op == "X":
            return {(frozenset(rest), frozenset())}
        if op in ("true", "false"):
            return {NOW} if op == "true" else set()
        a, b = self.ways(rest[0], letter), self.ways(rest[1], letter)
        later = frozenset([part])
        if op == "U":
            return least(b | both(a, {(later, later)}))
        if op == "R":
            return both(b, least(a | {(later, frozenset())}))
        return both(a, b) if op == "and" else least(a | b)


NOW = frozenset(), frozenset()


def both(one, other):
    return least({(a | c, b | d) for (a, b), (c, d) in itertools.product(one, other)})


def least(ways):
    """Without those that demand more than another one does."""
    if len(ways) < 2:
        return ways
    return {(a, b) for a, b in ways
            if not any(c <= a and d <= b and (c, d) != (a, b) for c, d in ways)}


def write_hoa(formula, atoms):
    """The automaton as HOA text: one edge for each letter over atoms, acceptance on edges."""
    tableau = Tableau(formula)
    letters = [frozenset(letter) for count in range(len(atoms) + 1)
               for letter in itertools.combinations(atoms, count)]
    lines = []
    for state in itertools.count():
        if state == len(tableau.states):
            break
        lines.append(f"State: {state}")
        for letter in letters:
            label = "&".join(("" if atom in letter else "!") + str(at)
                             for at, atom in enumerate(atoms)) or "t"
            lines += [f"[{label}] {to}" + " {0}" * accepting
                      for to, accepting in tableau.edges(state, letter)]
    quoted = "".join(' "' + atom.replace("\\", "\\\\").replace('"', '\\"') + '"' for atom in atoms)
    head = ["HOA: v1", f"States: {len(tableau.states)}", "Start: 0", f"AP: {len(atoms)}{quoted}",
            "acc-name: Buchi", "Acceptance: 1 Inf(0)", "properties: trans-labels explicit-labels",
            "properties: trans-acc", "--BODY--"]
    return "\n".join(head + lines + ["--END--", ""])


def accepts(automaton, word):
    """Does an automaton with starts and edges accept the word u v^w?"""
    from ltl import components
    prefix, loop = word
    letters = [frozenset(letter) for letter in prefix + loop]
    graph, todo = {}, [(state, 0) for state in automaton.starts]
    while todo:
        state, at = node = todo.pop()
        if node not in graph:
            then = at + 1 if at + 1 < len(letters) else len(prefix)
            graph[node] = [((to, then), accepting)
                           for to, accepting in automaton.edges(state, letters[at])]
            todo += [to for to, _ in graph[node]]
    return any(accepting and to in component for component in components(graph)
               for node in component for to, accepting in graph[node])
