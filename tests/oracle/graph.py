"""Control-flow graphs and the meaning of one step on concrete valuations (language.md section 7).

A valuation is a tuple of bits: all globals, then the variables of one frame. A *node* is a pair
(vertex, valuation). Leaving a procedure is a node whose vertex is EXIT and whose valuation is the
pair (globals, results). A *context* (proc name, globals, arguments) is what a callee sees.
"""

from dataclasses import dataclass, field
from itertools import product

EXIT = "exit"
BITS = (0, 1)


@dataclass(eq=False)
class Vertex:
    """A point of control, just before stmt (or a silent action) runs.

    kind is that of the statement, or elsif, or the silent ones: decl, enforce, end. successors of
    a condition are [when true, when false]. enforced holds the enforce clauses in force.
    """

    proc: object
    line: int
    kind: str
    stmt: object = None
    cond: tuple = None
    successors: list = field(default_factory=list)
    enforced: tuple = ()

    @property
    def counted(self):
        """Is this a statement that steps and lengths count (cli.md)?"""
        return self.kind not in ("decl", "enforce", "end")


def values(expr, before, after):
    """The set of values expr may have, each `*` chosen freely, as a tuple of bits.

    before and after map names to bits; primed names read after. Every `*` of the text occurs once
    in the tree, so its parts choose independently.
    """
    kind = expr[0]
    if kind == "const":
        return (expr[1],)
    if kind == "star":
        return BITS
    if kind == "var":
        return (before[expr[1]],)
    if kind == "prime":
        return (after[expr[1]],)
    parts = [values(part, before, after) for part in expr[1:]]
    return tuple({APPLY[kind](*choice) for choice in product(*parts)}
                 if kind != "schoose" else schoose(*parts))


def schoose(must, must_not):
    """schoose[a,b]: 1 if a holds, else 0 if b holds, else either."""
    result = set()
    for a, b in product(must, must_not):
        result.update((1,) if a else (0,) if b else BITS)
    return result


APPLY = {
    "not": lambda a: 1 - a,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "imp": lambda a, b: int(not a or b),
    "cond": lambda c, a, b: a if c else b,
}


class Graph:
    """All procedures of a program as graphs, with the steps between nodes."""

    def __init__(self, program):
        self.program = program
        self.options = program.options
        self.globals = list(program.globals)
        self.entries = {}
        self.vertices = {}
        self.places = {}
        self.slots = {}
        self.known_steps = {}
        self.known_contexts = {}
        for proc in program.procs.values():
            self.slots[proc.name] = {name: i for i, name in enumerate(self.globals + proc.frame())}
            self.lower_proc(proc)

    # Construction

    def lower_proc(self, proc):
        self.vertices[proc.name] = []
        end = self.vertex(proc, proc.end_line, "end")
        self.entries[proc.name] = self.lower_block(proc, proc.body, end, ())
        for vertex in self.vertices[proc.name]:
            if vertex.kind == "goto":
                vertex.successors = [self.places[proc.labels[label][0]]
                                     for label in vertex.stmt.names]

    def vertex(self, proc, line, kind, stmt=None, successors=(), enforced=(), cond=None):
        result = Vertex(proc, line, kind, stmt, cond, list(successors), enforced)
        self.vertices[proc.name].append(result)
        return result

    def lower_block(self, proc, block, after, enforced):
        """The first vertex of block; after is where control goes behind it."""
        in_force = []
        for stmt in block:
            in_force.append(enforced)
            if stmt.kind == "enforce":
                enforced += stmt.exprs
        for stmt, clauses in zip(reversed(block), reversed(in_force)):
            after = self.lower(proc, stmt, after, clauses)
            self.places[stmt] = after
        return after

    def lower(self, proc, stmt, after, enforced):
        if stmt.kind == "while":
            arm = stmt.arms[0]
            head = self.vertex(proc, stmt.line, "while", stmt, enforced=enforced, cond=arm.cond)
            head.successors = [self.lower_block(proc, arm.block, head, enforced), after]
            return head
        if stmt.kind == "if":
            return self.lower_if(proc, stmt, after, enforced)
        follow = [] if stmt.kind in ("return", "goto") else [after]
        return self.vertex(proc, stmt.line, stmt.kind, stmt, follow,
                           () if stmt.kind == "decl" else enforced)

    def lower_if(self, proc, stmt, after, enforced):
        otherwise = self.lower_block(proc, stmt.otherwise, after, enforced)
        for arm in reversed(stmt.arms):
            then = self.lower_block(proc, arm.block, after, enforced)
            kind = "if" if arm is stmt.arms[0] else "elsif"
            otherwise = self.vertex(proc, arm.line, kind, stmt, [then, otherwise], cond=arm.cond)
        return otherwise

    # Expressions on valuations

    def names(self, proc, valuation):
        """The variables in scope with their values."""
        return {name: valuation[slot] for name, slot in self.slots[proc.name].items()}

    def may(self, proc, expr, valuation, wanted=1, after=None):
        """Can expr have the value wanted under some choice of its `*`?"""
        before = self.names(proc, valuation)
        return wanted in values(expr, before, self.names(proc, after) if after else before)

    def choices(self, proc, exprs, valuation):
        """All tuples of values that exprs may have together."""
        names = self.names(proc, valuation)
        return product(*(values(expr, names, names) for expr in exprs))

    def store(self, proc, valuation, names, bits):
        """The valuation after names := bits, left to right; `_` drops its value."""
        result = list(valuation)
        for name, bit in zip(names, bits):
            if name != "_":
                result[self.slots[proc.name][name]] = bit
        return tuple(result)

    # Steps

    def can_fail(self, vertex, valuation):
        """Can the assertion at vertex be violated there?"""
        if vertex.kind == "assert":
            return self.may(vertex.proc, vertex.stmt.exprs[0], valuation, 0)
        return vertex.kind == "abortif" and self.may(vertex.proc, vertex.stmt.exprs[0], valuation)

    def steps(self, node):
        """The nodes one step leads to; calls have none here, see contexts and resume."""
        found = self.known_steps.get(node)
        if found is None:
            vertex, valuation = node
            found = self.known_steps[node] = frozenset(
                getattr(self, "step_" + vertex.kind)(vertex, valuation))
        return found

    def step_call(self, vertex, valuation):
        return ()

    def step_skip(self, vertex, valuation):
        return [(successor, valuation) for successor in vertex.successors]

    step_goto = step_print = step_skip

    def step_if(self, vertex, valuation):
        for wanted, successor in zip((1, 0), vertex.successors):
            if self.may(vertex.proc, vertex.cond, valuation, wanted):
                yield successor, valuation

    step_elsif = step_while = step_if

    def step_assume(self, vertex, valuation):
        if self.may(vertex.proc, vertex.stmt.exprs[0], valuation):
            yield vertex.successors[0], valuation

    step_assert = step_constrain = step_enforce = step_assume

    def step_abortif(self, vertex, valuation):
        if self.may(vertex.proc, vertex.stmt.exprs[0], valuation, 0):
            yield vertex.successors[0], valuation

    def step_assign(self, vertex, valuation):
        stmt = vertex.stmt
        clauses = [prime(expr) for expr in vertex.enforced]
        if stmt.relation is not None:
            clauses.append(stmt.relation)
        for bits in self.choices(vertex.proc, stmt.exprs, valuation):
            after = self.store(vertex.proc, valuation, stmt.names, bits)
            if all(self.may(vertex.proc, clause, valuation, 1, after) for clause in clauses):
                yield vertex.successors[0], after

    def step_decl(self, vertex, valuation):
        step = self.step_assign if vertex.stmt.exprs else self.havoc
        return step(vertex, valuation)

    def step_dead(self, vertex, valuation):
        step = self.step_skip if self.options.dead == "ignore" else self.havoc
        return step(vertex, valuation)

    def havoc(self, vertex, valuation):
        for bits in product(BITS, repeat=len(vertex.stmt.names)):
            yield vertex.successors[0], self.store(vertex.proc, valuation, vertex.stmt.names, bits)

    def step_return(self, vertex, valuation):
        if not vertex.stmt.exprs:
            return self.step_end(vertex, valuation)
        outer = valuation[:len(self.globals)]
        return [(EXIT, (outer, bits))
                for bits in self.choices(vertex.proc, vertex.stmt.exprs, valuation)]

    def step_end(self, vertex, valuation):
        """Leaving without values: in a value procedure any results, or no way on."""
        if vertex.proc.results and self.options.fall_off == "block":
            return []
        outer = valuation[:len(self.globals)]
        return [(EXIT, (outer, bits)) for bits in product(BITS, repeat=vertex.proc.results)]

    # Calls

    def contexts(self, node):
        """The contexts in which the call at node may enter its callee."""
        found = self.known_contexts.get(node)
        if found is None:
            vertex, valuation = node
            outer = valuation[:len(self.globals)]
            found = self.known_contexts[node] = frozenset(
                (vertex.stmt.callee, outer, bits)
                for bits in self.choices(vertex.proc, vertex.stmt.exprs, valuation))
        return found

    def start_nodes(self, context):
        """Where a call in this context begins: locals are arbitrary."""
        name, outer, args = context
        for bits in product(BITS, repeat=len(self.program.procs[name].locals)):
            yield self.entries[name], outer + args + bits

    def resume(self, node, leaving):
        """The node of the caller behind its call at node, the callee having left so."""
        vertex, valuation = node
        outer, results = leaving
        valuation = outer + valuation[len(self.globals):]
        return (vertex.successors[0],
                self.store(vertex.proc, valuation, vertex.stmt.names or (), results))

    def initial_nodes(self, init=None):
        """Where the program may start; init further constrains the start valuation."""
        proc = self.program.procs[self.program.entry]
        fixed = {name: expr[1] for name, expr in self.program.globals.items()
                 if expr and expr[0] == "const"}
        outer = [(fixed[name],) if name in fixed else BITS for name in self.globals]
        for valuation in product(*outer, *[BITS] * len(proc.frame())):
            if init is None or self.may(proc, init, valuation):
                yield self.entries[proc.name], valuation


def prime(expr):
    """The expression with every variable read after the statement."""
    if expr[0] == "var":
        return ("prime", expr[1])
    return (expr[0],) + tuple(prime(part) if isinstance(part, tuple) else part
                              for part in expr[1:])
