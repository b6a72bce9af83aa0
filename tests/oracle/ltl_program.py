"""LTL on boolean programs with recursion, made explicit: atoms, positions, and the search for a violation.

An execution is the sequence of its positions: control at a counted statement or at the end of a procedure
where it falls off, declarations and enforce having run. When the entry returns, or an assertion fails, the
last position is repeated for ever, with the globals as they are. Independent of lib/.
"""

import re
from collections import defaultdict, deque

import ltl
from boolprog import parse_expr
from explicit import TooBig, all_vertices, label_vertices
from graph import EXIT, Graph
from lexer import SourceError
from ltl_automaton import Tableau
from resolve import leaves

TERMINATED, FAILED = "terminated", "failed"
NAME = r"(?:[A-Za-z_$](?:-?[\w$#])*|\{[^{}\n]+\})"
PLAIN = re.compile(rf"(?:({NAME})\.)?({NAME}|\d+)")
FRAME = re.compile(rf"(in|enter|exit)\s*\(\s*({NAME})\s*\)")
QUALIFIED = re.compile(rf"({NAME})\.({NAME})|{NAME}")


class Atoms:
    """What the atoms of formulas mean at the positions of one program."""

    def __init__(self, graph):
        self.graph, self.program = graph, graph.program
        self.first = {name: self.skip_silent(entry) for name, entry in graph.entries.items()}

    @staticmethod
    def skip_silent(vertex):
        """The first statement: where control is once declarations and enforce have run."""
        while vertex.kind in ("decl", "enforce"):
            vertex = vertex.successors[0]
        return vertex

    def meaning(self, atom):
        """A function of a node; SourceError when the program does not have what is named."""
        if atom in (TERMINATED, FAILED):
            return lambda node: node[0] == atom
        frame, plain = FRAME.fullmatch(atom), PLAIN.fullmatch(atom)
        if frame:
            return self.of_frame(*frame.groups())
        if plain:
            return self.of_name(*plain.groups())
        return self.of_expression(atom)

    def of_name(self, proc, name):
        label = self.of_label(proc, name)
        variable = None if name.isdigit() else self.of_variable(proc, name)
        if (label is None) == (variable is None):
            raise SourceError(0, 0, f"'{name}' is {'both' if label else 'neither'} label and variable")
        return label or variable

    def of_frame(self, word, name):
        if name not in self.program.procs:
            raise SourceError(0, 0, f"no procedure '{name}'")
        first = self.first[name]
        inside = self.program.procs[name]
        return {
            "in": lambda node: in_frame(node) and node[0].proc is inside,
            "enter": lambda node: node[0] is first,
            "exit": lambda node: in_frame(node) and node[0].proc is inside and leaves_frame(node[0]),
        }[word]

    def of_label(self, proc, name):
        places = set(label_vertices(self.graph, name, proc))
        return (lambda node: node[0] in places) if places else None

    def of_variable(self, proc, name):
        try:
            self.known(proc, name)
        except SourceError:
            return None
        return self.of_expression(name if proc is None else f"{proc}.{name}")

    def known(self, proc, name):
        frame = self.program.procs[proc].frame() if proc in self.program.procs else ()
        if name not in (self.program.globals if proc is None else frame):
            raise SourceError(0, 0, f"no variable '{name}'")

    def of_expression(self, text):
        """Qualified names become names {0}, {1}, ... of the expression's reading."""
        used = []

        def name(match):
            proc = match[1]
            if not proc and match[0] in ("T", "F", "true", "false", "schoose"):
                return match[0]
            used.append((proc, match[2] if proc else match[0]))
            return "{%d}" % (len(used) - 1)
        expr = parse_expr(QUALIFIED.sub(name, text), self.program.options.precedence)
        for proc, variable in used:
            self.known(proc, variable)
        if any(leaf[0] in ("star", "prime") for leaf in leaves(expr)):
            raise SourceError(0, 0, f"no choice in an atom: {text}")

        def holds(node):
            scope = self.scope(node)
            if any(pair not in scope for pair in used):
                return False
            values = {"{%d}" % at: scope[pair] for at, pair in enumerate(used)}
            return truth(expr, values)
        return holds

    def scope(self, node):
        """The values of all globals, also hidden ones, and of the locals by their procedure."""
        vertex, valuation = node
        values = {(None, name): bit for name, bit in zip(self.graph.globals, valuation)}
        if in_frame(node):
            names = self.graph.names(vertex.proc, valuation)
            values |= {(vertex.proc.name, name): names[name] for name in vertex.proc.frame()}
        return values


def in_frame(node):
    return node[0] not in (TERMINATED, FAILED)


def leaves_frame(vertex):
    return vertex.kind in ("return", "end")


def truth(expr, values):
    """The value of an expression without choices."""
    from graph import APPLY
    if expr[0] == "const":
        return bool(expr[1])
    if expr[0] == "var":
        return bool(values[expr[1]])
    return bool(APPLY[expr[0]](*(int(truth(part, values)) for part in expr[1:])))


def atoms_of(formula):
    """The atoms of a formula, each once."""
    if formula[0] == "atom":
        return {formula[1]: 0}
    return {atom: 0 for part in formula[1:] for atom in atoms_of(part)}


class Positions:
    """The positions of a program as numbers, and where an execution goes on from each.

    A position is of kind step, call or leave. A frame is what a callee is entered with, see graph.py.
    """

    def __init__(self, program, init=None):
        self.graph = Graph(program)
        self.atoms = Atoms(self.graph)
        self.vertices = list(all_vertices(self.graph))
        self.order = {vertex: at for at, vertex in enumerate(self.vertices)}
        self.nodes, self.numbers = [], {}
        self.known, self.behind, self.entered = {}, {}, {}
        self.starts = self.settle(self.graph.initial_nodes(init))

    def number(self, node):
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def settle(self, nodes):
        """The positions that declarations and enforce lead to."""
        result, todo = set(), list(nodes)
        while todo:
            node = todo.pop()
            if node[0].kind in ("decl", "enforce"):
                todo += self.graph.steps(node)
            else:
                result.add((self.order[node[0]], node[1]))
        return [self.number((self.vertices[at], valuation)) for at, valuation in sorted(result)]

    def moves(self, position):
        """(kind, where to): positions, frames of the callee, or ways of leaving."""
        found = self.known.get(position)
        if found is None:
            found = self.known[position] = self.find_moves(self.nodes[position])
        return found

    def find_moves(self, node):
        if not in_frame(node):
            return "step", [self.number(node)]
        vertex, valuation = node
        if vertex.kind == "call":
            return "call", sorted(self.graph.contexts(node))
        if leaves_frame(vertex):
            return "leave", sorted(leaving for _, leaving in self.graph.steps(node))
        ahead = self.settle(self.graph.steps(node))
        if self.graph.can_fail(vertex, valuation):
            ahead.append(self.number((FAILED, valuation[:len(self.graph.globals)])))
        return "step", ahead

    def enter(self, frame):
        """The first positions of a callee."""
        if frame not in self.entered:
            self.entered[frame] = self.settle(self.graph.start_nodes(frame))
        return self.entered[frame]

    def after(self, position, leaving):
        """The positions behind a call; below the entry there is nothing but termination."""
        key = position, leaving
        if key not in self.behind:
            self.behind[key] = [self.number((TERMINATED, leaving[0]))] if position == BOTTOM else \
                self.settle([self.graph.resume(self.nodes[position], leaving)])
        return self.behind[key]


BOTTOM = -1


class Buchi:
    """The automaton of a formula that follows the positions of a program."""

    def __init__(self, positions, formula):
        self.positions = positions
        self.tableau = Tableau(formula)
        self.meanings = {atom: positions.atoms.meaning(atom) for atom in sorted(atoms_of(formula))}
        self.letters = {}
        self.starts = self.tableau.starts

    def letter(self, position):
        found = self.letters.get(position)
        if found is None:
            node = self.positions.nodes[position]
            found = frozenset(atom for atom, holds in self.meanings.items() if holds(node))
            self.letters[position] = found
        return found

    def edges(self, state, position):
        return self.tableau.edges(state, self.letter(position))


class Search:
    """Is there an execution that the automaton accepts?

    A head is (state, position): control at the position, the automaton in the state before reading it. Runs
    inside one frame are tabulated from each frame and state it is entered with, with one bit: has an edge
    been accepting. The entry of the program is entered from a call that lies below it. For every head the
    graph has its steps, calls entered for ever, and calls jumped over; a cycle with the bit is a violation.
    """

    def __init__(self, positions, automaton, cap=200_000):
        self.positions, self.automaton, self.cap = positions, automaton, cap
        self.best, self.origin = {}, {}
        self.summaries, self.summary_origin = defaultdict(dict), {}
        self.callers = defaultdict(dict)
        self.queue, self.known_edges, self.component = [], {}, {}
        self.tabulate()
        self.cycle = self.find_cycle()

    @property
    def violated(self):
        return self.cycle is not None

    # Runs inside a frame: best[inside, head] is the best bit, origin says how each (.., bit) came about

    def tabulate(self):
        for state in self.automaton.starts:
            for position in self.positions.starts:
                self.add((state, BOTTOM), (state, position), False, None)
        while self.queue:
            inside, head, bit = self.queue.pop()
            self.propagate(inside, head, bit)

    def add(self, inside, head, bit, origin):
        key = inside, head
        if self.best.get(key, -1) >= bit:
            return
        self.best[key] = bit
        self.origin[inside, head, bit] = origin
        if len(self.best) > self.cap:
            raise TooBig
        self.queue.append((inside, head, bit))

    def propagate(self, inside, head, bit):
        kind, targets = self.positions.moves(head[1])
        for state, accepting in self.automaton.edges(*head):
            passed = bit or accepting
            for target in targets:
                if kind == "call":
                    self.call(inside, head, bit, passed, (state, target))
                elif kind == "leave":
                    self.leave(inside, (state, target), passed, (head, bit))
                else:
                    self.add(inside, (state, target), passed, (head, bit, None))

    def call(self, inside, head, bit, passed, callee):
        state, frame = callee
        caller = inside, head, bit, passed
        if caller in self.callers[callee]:
            return
        if not self.callers[callee]:
            for position in self.positions.enter(frame):
                self.add(callee, (state, position), False, None)
        self.callers[callee][caller] = True
        for summary, inner in list(self.summaries[callee].items()):
            self.come_back(callee, caller, summary, inner)

    def leave(self, callee, summary, inner, origin):
        if self.summaries[callee].get(summary, -1) >= inner:
            return
        self.summaries[callee][summary] = inner
        self.summary_origin[callee, summary, inner] = origin
        for caller in list(self.callers[callee]):
            self.come_back(callee, caller, summary, inner)

    def come_back(self, callee, caller, summary, inner):
        inside, head, bit, passed = caller
        state, leaving = summary
        for position in self.positions.after(head[1], leaving):
            self.add(inside, (state, position), passed or inner, (head, bit, (callee, summary, inner)))

    # The graph of heads

    def successors(self, head):
        """Triples (head, accepting, None or the call that is entered or jumped over)."""
        if head[1] == BOTTOM:
            yield from self.over(head, False, head)
            for position in self.positions.starts:
                yield (head[0], position), False, (head, None, False)
            return
        kind, targets = self.positions.moves(head[1])
        for state, accepting in self.automaton.edges(*head):
            for target in targets:
                if kind == "step":
                    yield (state, target), accepting, None
                elif kind == "call":
                    yield from self.over(head, accepting, (state, target))
                    for position in self.positions.enter(target):
                        yield (state, position), accepting, ((state, target), None, False)

    def over(self, head, accepting, callee):
        """The call at head jumped over."""
        for summary, inner in self.summaries[callee].items():
            for position in self.positions.after(head[1], summary[1]):
                yield (summary[0], position), accepting or inner, (callee, summary, inner)

    def edges(self, head):
        if head not in self.known_edges:
            self.known_edges[head] = list(self.successors(head))
        return self.known_edges[head]

    def roots(self):
        return [(state, BOTTOM) for state in self.automaton.starts]

    def find_cycle(self):
        """(head, edge) on a cycle, the edge accepting; or None."""
        for root in self.roots():
            tarjan(root, self.edges, self.component)
        for head in self.component:
            for edge in self.edges(head):
                if edge[1] and self.component[edge[0]] == self.component[head]:
                    return head, edge
        return None

    # A violating execution as positions with the number of frames below each

    def lasso(self):
        """(prefix, loop), lists of (position, depth); the loop's depths may be higher each time."""
        return tuple([each[:2] for each in part] for part in self.lasso_listed(True))

    def lasso_listed(self, opened):
        """The same with a third part; completed calls are not opened, and then it counts the statements inside."""
        head, edge = self.cycle
        inside = self.component[head]
        prefix = self.way(self.roots(), head, lambda _: True)
        loop = [(head, edge)] + self.way([edge[0]], head, lambda at: self.component[at] == inside)
        listed, depth = self.listed(prefix, 0, opened)
        return listed, self.listed(loop, depth, opened)[0]

    def way(self, sources, target, allowed):
        """A shortest way in the graph of heads: pairs (head, edge)."""
        came = {source: None for source in sources}
        todo = deque(sources)
        while target not in came:
            head = todo.popleft()
            for edge in self.edges(head):
                if edge[0] not in came and allowed(edge[0]):
                    came[edge[0]] = head, edge
                    todo.append(edge[0])
        way = []
        while came[target]:
            way.append(came[target])
            target = came[target][0]
        return way[::-1]

    def listed(self, way, depth, opened):
        result = []
        for head, (_, _, call) in way:
            jumped = call and call[1] is not None
            if head[1] == BOTTOM:
                result += self.inner(call, depth, opened) if jumped else []
            else:
                result += self.step(head[1], depth, call if jumped else None, opened)
                depth += bool(call and not jumped)
        return result, depth

    def step(self, position, depth, call, opened):
        """A position with the completed call there, if any."""
        if not call:
            return [(position, depth, None)]
        inside = self.inner(call, depth + 1, True)
        if opened:
            return [(position, depth, None)] + inside
        return [(position, depth, sum(self.positions.nodes[each[0]][0].counted for each in inside))]

    def inner(self, call, depth, opened):
        """The run of a completed call: (callee, summary, bit)."""
        callee, jumped, parts = call[0], None, []
        head, bit = self.summary_origin[call]
        while True:
            parts.append(self.step(head[1], depth, jumped, opened))
            origin = self.origin[callee, head, bit]
            if not origin:
                return [each for part in reversed(parts) for each in part]
            head, bit, jumped = origin


def tarjan(root, edges, component):
    """Gives all heads that root reaches and that have none yet the number of their component."""
    if root in component:
        return
    index, low, path, on_path = {root: 0}, {root: 0}, [root], {root}
    work = [(root, iter(edges(root)))]
    while work:
        head, rest = work[-1]
        for following, *_ in rest:
            if following not in index and following not in component:
                index[following] = low[following] = len(index)
                path.append(following)
                on_path.add(following)
                work.append((following, iter(edges(following))))
                break
            if following in on_path:
                low[head] = min(low[head], index[following])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[head])
            if low[head] == index[head]:
                while True:
                    member = path.pop()
                    on_path.discard(member)
                    component[member] = head
                    if member == head:
                        break


def read_init(program, text):
    """An --init expression, whose variables must be in scope where the entry begins."""
    if not text:
        return None
    expr = parse_expr(text, program.options.precedence)
    scope = {*program.procs[program.entry].frame(), *program.globals}
    if any(leaf[0] == "var" and leaf[1] not in scope for leaf in leaves(expr)):
        raise SourceError(0, 0, f"not in scope: {text}")
    return expr


class Checker:
    """All formulas of one program; init is text."""

    def __init__(self, program, init="", cap=200_000):
        self.positions = Positions(program, read_init(program, init))
        self.cap = cap

    def violation(self, formula):
        """The search for an execution on which the formula does not hold."""
        return Search(self.positions, Buchi(self.positions, ("not", formula)), self.cap)

    def holds(self, text):
        return not self.violation(ltl.parse(text)).violated

    def word(self, search):
        """The letters of the lasso of a search, as ltl.py takes them."""
        letter = search.automaton.letter
        return tuple([letter(position) for position, _ in part] for part in search.lasso())
