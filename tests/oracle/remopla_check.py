"""Which labels of a Remopla program can be reached, with how many steps, and whether a step can overflow:
by explicit states. A procedure's runs are tabulated by the state they begin in, so that recursion is no
matter."""

import heapq
from itertools import product

from remopla import Scope, Undefined

CHOICE = object()  # `undef`


class TooBig(Exception):
    pass


def all_values(variables):
    """Every valuation of some variables, as tuples in their order."""
    each = []
    for v in variables:
        values = range(v.count)
        each.append([tuple(t) for t in product(values, repeat=v.length)] if v.length else list(values))
    return product(*each)


class Checker:
    """A state is (globals, frame), two tuples; a place is a statement or None, the end of the module."""

    def __init__(self, program, zero_locals=False, overflow_fails=False, most=60000):
        self.program, self.zero, self.fails, self.most = program, zero_locals, overflow_fails, most
        self.global_names = [v.name for v in program.globals]
        self.vars = {}
        for m in program.modules.values():
            known = {v.name: v for v in program.globals}
            known.update({v.name: v for v in m.formals + m.locals})
            self.vars[m.name] = known
        self.known = {}  # moves by place and state

    # ---- single steps

    def scope(self, module, state):
        names = [v.name for v in module.formals + module.locals]
        return Scope(self.program, dict(zip(names, state[1])), dict(zip(self.global_names, state[0])))

    @staticmethod
    def fit(var, value):
        if not 0 <= value < var.count:
            raise Undefined
        return value

    def entries(self, name, globals_, args):
        module = self.program.modules[name]
        if self.zero:
            rest = [tuple((0,) * v.length if v.length else 0 for v in module.locals)]
        else:
            rest = all_values(module.locals)
        return [(globals_, tuple(args) + tuple(r)) for r in rest]

    def store(self, module, state, sides):
        """States after targets [(name, index or None, value or CHOICE)], given left to right."""
        names = [v.name for v in module.formals + module.locals]
        states = [(list(state[0]), list(state[1]))]
        for name, index, value in sides:
            var = self.vars[module.name][name]
            where, at = (1, names.index(name)) if name in names else (0, self.global_names.index(name))
            if index is not None and not 0 <= index < var.length:
                raise Undefined
            values = range(var.count) if value is CHOICE else [self.fit(var, value)]
            grown = []
            for old in states:
                for v in values:
                    new = (list(old[0]), list(old[1]))
                    if index is None:
                        new[where][at] = v
                    else:
                        array = list(new[where][at])
                        array[index] = v
                        new[where][at] = tuple(array)
                    grown.append(new)
            states = grown
        return {(tuple(g), tuple(f)) for g, f in states}

    def simple(self, module, stmt, state):
        """What one simple statement does: ("go", place, state), ("call", name, globals, args, target,
        place) or ("return", value or None, state)."""
        scope = self.scope(module, state)
        if stmt.kind == "skip":
            if stmt.parts[0] is None or scope.value(stmt.parts[0]):
                yield "go", stmt.after, state
        elif stmt.kind == "goto":
            yield "go", stmt.parts[0].labels[stmt.parts[1]], state
        elif stmt.kind == "break":
            yield "go", stmt.loop.after, state
        elif stmt.kind == "assign":
            sides = [(name, None if index is None else scope.value(index),
                      CHOICE if value is None else scope.value(value)) for name, index, value in stmt.parts]
            for after in self.store(module, state, sides):
                yield "go", stmt.after, after
        elif stmt.kind == "return":
            value = stmt.parts[0]
            if value is not None:
                value = self.fit(module.result, scope.value(value))
            yield "return", value, state
        else:
            name, args, target = stmt.parts
            formals = self.program.modules[name].formals
            values = [self.fit(v, scope.value(a)) for v, a in zip(formals, args)]
            yield "call", name, state[0], tuple(values), target, stmt.after

    def attempt(self, module, stmt, state):
        try:
            yield from self.simple(module, stmt, state)
        except Undefined:
            if self.fails:
                yield ("fail",)

    @staticmethod
    def fused(stmt, number):
        """The statement that is one step with the guard of a clause, or None."""
        body = stmt.clauses[number][1]
        return body[0] if body and body[0].kind not in ("if", "do") and not body[0].labels else None

    def clause(self, module, stmt, number, state):
        scope = self.scope(module, state)
        guard, body = stmt.clauses[number]
        try:
            if guard is not None:
                holds = scope.value(guard)
            else:
                found = [scope.value(g) for g, _ in stmt.clauses if g is not None]
                holds = not any(found)
        except Undefined:
            if self.fails:
                yield ("fail",)
            return
        if not holds:
            return
        if first := self.fused(stmt, number):
            yield from self.attempt(module, first, state)
        elif body:
            yield "go", body[0], state
        else:
            yield "go", stmt if stmt.kind == "do" else stmt.after, state

    def guarded(self, module, stmt, state):
        for number in range(len(stmt.clauses)):
            yield from self.clause(module, stmt, number, state)

    def moves(self, module, stmt, state):
        key = (id(stmt), state)
        if key not in self.known:
            if len(self.known) > self.most:
                raise TooBig
            choice = stmt.kind in ("if", "do")
            self.known[key] = list((self.guarded if choice else self.attempt)(module, stmt, state))
        return self.known[key]

    # ---- procedures

    def results(self, module, value):
        if module.result is None:
            return [None]
        return range(module.result.count) if value is None else [value]

    def after_call(self, module, state, target, place, globals_, value):
        """States of the caller behind a call that has come back."""
        state = (globals_, state[1])
        if target is None:
            return [("go", place, state)]
        try:
            index = None if target[1] is None else self.scope(module, state).value(target[1])
            return [("go", place, s) for s in self.store(module, state, [(target[0], index, value)])]
        except Undefined:
            return [("fail",)] if self.fails else []

    def explore(self, expanded):
        """Least numbers of steps: {(module, place, state): ...} from the start, labels counted with the
        step that they are; whether an overflow can fail; by Dijkstra in rounds, as the length of a call
        needs that of the runs inside, until nothing gets shorter."""
        program = self.program
        tables = {}  # (module name, entry state) -> {(globals, value): least steps inside}
        changed = True
        while changed:
            changed, before = False, len(tables)
            for key in list(tables):
                found, _, _ = self.run(program.modules[key[0]], [key[1]], tables, expanded, False)
                for exit_, steps in found.items():
                    if steps < tables[key].get(exit_, steps + 1):
                        tables[key][exit_] = steps
                        changed = True
            entry = program.modules[program.entry]
            starts = [s for g in all_values(program.globals) for a in all_values(entry.formals)
                      for s in self.entries(entry.name, tuple(g), a)]
            _, places, failing = self.run(entry, starts, tables, expanded, True)
            changed |= len(tables) != before
        return places, failing

    def run(self, module, starts, tables, expanded, into):
        """Runs of a module: {exit: steps}, {(module, place, state): steps}, whether one fails. With `into`
        also runs that stay in a callee."""
        best, exits, failing = {}, {}, False
        heap, count = [], 0

        def reach(steps, m, place, state):
            nonlocal count
            key = (m.name, id(place), state)
            if steps < best.get(key, (steps + 1,))[0]:
                best[key] = (steps, m, place, state)
                heapq.heappush(heap, (steps, count, key))
                count += 1

        for state in starts:
            reach(0, module, module.body[0] if module.body else None, state)
        while heap:
            steps, _, key = heapq.heappop(heap)
            if best[key][0] < steps:
                continue
            _, m, place, state = best[key]
            if place is None:
                moves, cost = [("return", None, state)], 0
            else:
                moves, cost = self.moves(m, place, state), 1
            for move in moves:
                if move[0] == "fail":
                    failing = True
                elif move[0] == "go":
                    reach(steps + cost, m, move[1], move[2])
                elif move[0] == "return":
                    if m is module:
                        for value in self.results(m, move[1]):
                            exit_ = (move[2][0], value)
                            exits[exit_] = min(exits.get(exit_, steps + cost), steps + cost)
                else:
                    _, name, globals_, args, target, after = move
                    callee = self.program.modules[name]
                    for inner in self.entries(name, globals_, args):
                        table = tables.setdefault((name, inner), {})
                        for (g, value), inside in table.items():
                            total = steps + 1 + (inside if expanded else 0)
                            for back in self.after_call(m, state, target, after, g, value):
                                if back[0] == "fail":
                                    failing = True
                                else:
                                    reach(total, m, back[1], back[2])
                        if into:
                            reach(steps + 1, callee, callee.body[0] if callee.body else None, inner)
        return exits, best, failing

    def labels(self, expanded=False):
        """{(module, label): (least steps, states there)}, and whether a step can overflow."""
        best, failing = self.explore(expanded)
        found = {}
        for steps, m, place, state in best.values():
            for label in place.labels if place else ():
                old, states = found.get((m.name, label), (steps + 1, []))
                states.append(state)
                found[m.name, label] = (min(old, steps + 1), states)
        return found, failing
