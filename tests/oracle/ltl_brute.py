"""LTL on boolean programs by brute force on whole stacks of bounded height: for selftest_ltl.py.

A second reading that shares only the parser of programs and the semantics of ltl.py with ltl_program.py:
executions are those of bounded.Machine, atoms are evaluated from their parts as ltl_generate.py has them.
"""

from bounded import BRANCH_KINDS, Frame, Machine, all_outcomes, evaluate
from ltl import components, holds
from ltl_automaton import Tableau

SILENT = {"jump", "decl", "enforce"}
ENDS = {"terminated", "failed"}


class TooMany(Exception):
    """More states than brute force should try."""


class Executions:
    """Positions are machine states at a statement or the end of a procedure, and pairs of a word and the
    globals once an execution has terminated or failed."""

    def __init__(self, program, parts, depth, init=None):
        self.program, self.parts = program, parts
        self.machine = Machine(program, depth)
        self.known = {}
        self.starts = self.settle(state for state in self.machine.initial_states()
                                  if init is None or self.may_hold(state, init))

    def may_hold(self, state, expr):
        env = self.machine.env(state)
        return any(all_outcomes(lambda choose: evaluate(expr, env, env, choose)))

    def settle(self, states):
        result, todo = set(), list(states)
        while todo:
            state = todo.pop()
            if self.machine.at(state).op in SILENT:
                todo += self.machine.successors(state)
            else:
                result.add(state)
        return result

    def successors(self, state):
        if state not in self.known:
            self.known[state] = sorted(self.find_successors(state), key=str)
        return self.known[state]

    def find_successors(self, state):
        if state[0] in ENDS:
            return {state}
        at, (outer, stack) = self.machine.at(state), state
        if at.op in ("return", "end") and len(stack) == 1:
            blocked = at.proc.results and not (at.stmt and at.stmt.exprs) \
                and self.program.options.fall_off == "block"
            return set() if blocked else {("terminated", outer)}
        ahead = self.settle(map(forget, self.machine.successors(state)))
        return ahead | ({("failed", outer)} if self.machine.fails(state) else set())

    # Atoms

    def letter(self, state, atoms):
        return {atom for atom in atoms if self.true(state, *self.parts[atom])}

    def true(self, state, kind, *rest):
        if kind in ENDS:
            return state[0] == kind
        if kind == "variable":
            return bool(self.value(state, ("var", rest)))
        if kind == "expression":
            return bool(self.value(state, rest[0]))
        if state[0] in ENDS:
            return False
        place, at = state[1][-1].place, self.machine.at(state)
        if kind == "label":
            return place in self.places(*rest)
        return at.proc.name == rest[0] and (
            kind == "in" or (kind == "exit" and at.op in ("return", "end"))
            or (kind == "enter" and place == self.first(rest[0])))

    def places(self, proc, label):
        return {self.machine.place[stmt] for each in self.program.procs.values()
                if proc in (None, each.name) for stmt in each.labels.get(label, ())}

    def first(self, proc):
        place = self.machine.begin[proc]
        while self.machine.code[place].op in SILENT:
            place += 1
        return place

    def value(self, state, tree):
        """The value of an expression; None if a variable is not in scope."""
        kind, *parts = tree
        if kind == "const":
            return parts[0]
        if kind == "var":
            return self.variable(state, *parts[0])
        values = [self.value(state, part) for part in parts]
        if None in values:
            return None
        a, b = (values + [0])[:2]
        return int({"not": not a, "and": a and b, "or": a or b, "xor": a != b, "ne": a != b, "eq": a == b,
                    "imp": a <= b, "cond": b if a else values[-1]}[kind])

    def variable(self, state, proc, name):
        if proc is None:
            outer = state[1] if state[0] in ENDS else state[0]
            return outer[list(self.program.globals).index(name)]
        inside = None if state[0] in ENDS else self.machine.at(state).proc
        return self.machine.env(state)[name] if inside and inside.name == proc else None

    # Questions

    def explore(self, cap):
        """All positions; machine.cut says if the stack was too high somewhere."""
        seen, todo = set(self.starts), list(self.starts)
        while todo:
            for following in self.successors(todo.pop()):
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
            if len(seen) > cap:
                raise TooMany
        return seen

    def violated(self, formula, atoms, cap):
        """Does a finite graph of whole stacks have an execution that violates the formula?"""
        self.explore(cap)
        tableau, graph = Tableau(("not", formula)), {}
        todo = [(start, state) for start in self.starts for state in tableau.starts]
        while todo:
            node = state, at = todo.pop()
            if node in graph:
                continue
            edges = tableau.edges(at, frozenset(self.letter(state, atoms)))
            graph[node] = [((following, to), accepting) for to, accepting in edges
                           for following in self.successors(state)]
            todo += [to for to, _ in graph[node]]
            if len(graph) > 4 * cap:
                raise TooMany
        return any(accepting and to in component for component in components(graph)
                   for node in component for to, accepting in graph[node])

    def walk(self, random, length):
        """A random execution, or the beginning of one."""
        run, states = [], sorted(self.starts, key=str)
        while states and len(run) < length:
            run.append(random.choice(states))
            states = self.successors(run[-1])
        return run

    def lassos(self, run):
        """(i, j): what is between can be repeated for ever, with more on the stack each time."""
        for i, state in enumerate(run):
            for j in range(i + 1, len(run)):
                if height(run[j]) < height(state):
                    break
                if head(run[j]) == head(state):
                    yield i, j

    def violates(self, run, i, j, formula, atoms):
        letters = [self.letter(state, atoms) for state in run[:j]]
        return not holds(formula, (letters[:i], letters[i:]))

    def follow(self, listed, matches):
        """Is there an execution of which each position matches the listed one?"""
        states = self.starts
        for each in listed:
            here = {state for state in states if matches(self, state, each)}
            states = {following for state in here for following in self.successors(state)}
        return bool(here)


def forget(state):
    """The state without the globals at the last call, which only distances need."""
    outer, stack = state
    return outer, stack[:-1] + (Frame(stack[-1].place, stack[-1].variables),)


def head(state):
    return state if state[0] in ENDS else (state[0], state[1][-1])


def height(state):
    return 1 if state[0] in ENDS else len(state[1])


def same_position(executions, state, listed):
    """Is the state that of a node of ltl_program.py at a depth?"""
    (vertex, valuation), depth = listed
    if isinstance(vertex, str) or state[0] in ENDS:
        return state == (vertex, valuation)
    at, (outer, stack) = executions.machine.at(state), state
    kind = "branch" if vertex.kind in BRANCH_KINDS else vertex.kind
    return (at.op, at.proc.name, at.line, len(stack) - 1, outer + stack[-1].variables) == \
        (kind, vertex.proc.name, vertex.line, depth, valuation)
