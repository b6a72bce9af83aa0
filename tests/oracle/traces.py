"""Judges one trace that `bp reach --json` or `bp check --json` prints.

The listed steps are followed by the set of all concrete executions at once. A frame of the trace is
a Segment: forward it computes the nodes at every listed step for each context it may be entered
with, backward it keeps those on executions that reach the end of the trace. Calls that the trace
opens are nested segments, seen by their caller as a relation from contexts to ways of leaving.
"""

from collections import defaultdict
from dataclasses import dataclass

from explicit import START
from graph import EXIT

END = "end of the trace"
BRANCHES = {"if", "elsif", "while"}


class Bad(Exception):
    """The trace is wrong; the message says how."""


def require(condition, message):
    if not condition:
        raise Bad(message)


@dataclass
class Step:
    """One listed step."""

    proc: str
    line: int
    depth: int
    kind: str
    closed: bool
    inside: int
    state: dict

    @staticmethod
    def read(data):
        state = {name: int(bit) for name, bit in data.get("state", {}).items()}
        inside = data.get("inside")
        return Step(data["proc"], int(data["line"]), int(data["depth"]), data.get("kind", ""),
                    bool(data.get("closed", False)), None if inside is None else int(inside), state)

    def matches(self, vertex):
        if not vertex.counted or vertex.line != self.line or vertex.proc.name != self.proc:
            return False
        return vertex.kind == self.kind or {vertex.kind, self.kind} <= BRANCHES


@dataclass
class Item:
    """A step of one frame; children are the steps of a call that is opened, else None."""

    index: int
    step: Step
    children: list = None
    completed: bool = True

    def weight(self):
        """Statements executed from this step to the next one of its frame."""
        if self.children is not None:
            return 1 + sum(child.weight() for child in self.children)
        return 1 + (self.step.inside or 0)


def frames(steps):
    """The items of the outermost frame, calls nested by depth."""
    require(steps, "the trace has no steps")
    require(steps[0].depth == 0, "the first step has a depth other than 0")
    items, at = frame(steps, 0)
    require(at == len(steps), f"step {at}: the depth falls below 0")
    return items


def frame(steps, at):
    depth, items = steps[at].depth, []
    while at < len(steps) and steps[at].depth == depth:
        item = Item(at, steps[at])
        items.append(item)
        at += 1
        last = at == len(steps)
        deeper = not last and steps[at].depth > depth
        require(not deeper or steps[at].depth == depth + 1, f"step {at}: the depth jumps")
        require(not (item.step.closed and last), "the trace ends with a completed call")
        require(not (item.step.closed and deeper), f"step {at}: a closed call has steps")
        if deeper:
            item.children, at = frame(steps, at)
            item.completed = at < len(steps)
        elif item.step.kind == "call" and not item.step.closed and not last:
            item.children = []
        require(item.children is None or item.step.kind == "call",
                f"step {item.index}: the depth rises behind a {item.step.kind}")
    return items, at


class Replay:
    """All executions that follow the listed steps and end with a node is_target accepts.

    With limited, a closed call takes only runs of at most the number of statements it shows. With
    stated, executions also have the values that the steps show.
    """

    def __init__(self, checker, items, is_target, limited=False, stated=False):
        self.checker = checker
        self.graph = checker.graph
        self.is_target = is_target
        self.limited = limited
        self.stated = stated
        self.settled = {}
        self.nodes = defaultdict(set)
        whole = Segment(self, items, {START: checker.starts}, False)
        self.possible = END in whole.exits[START]
        self.furthest = max((at for at, nodes in self.nodes.items() if nodes), default=-1)
        self.nodes.clear()
        if self.possible:
            whole.restrict({(START, END)})

    def settle(self, node):
        """The listed statements or exits that silent steps from node lead to, node included."""
        if node not in self.settled:
            if node[0] == EXIT or node[0].counted:
                self.settled[node] = {node}
            else:
                self.settled[node] = {last for following in self.graph.steps(node)
                                      for last in self.settle(following)}
        return self.settled[node]

    def fits(self, step, node):
        """Whether an execution can be at node when the step is listed."""
        if node == END or node[0] == EXIT or not step.matches(node[0]):
            return False
        if not self.stated:
            return True
        values = self.graph.names(node[0].proc, node[1])
        return all(values.get(name) == bit for name, bit in step.state.items())

    def state(self, index):
        """The variables with one value at a step in all executions."""
        nodes = self.nodes[index]
        seen = defaultdict(set)
        for vertex, valuation in nodes:
            for name, bit in self.graph.names(vertex.proc, valuation).items():
                seen[name].add(bit)
        return {name: bits.pop() for name, bits in seen.items() if len(bits) == 1}


class Segment:
    """The listed steps of one frame, for all contexts it may be entered with.

    exits maps each context to the ways of leaving the frame, or to {END} if the trace ends within.
    """

    def __init__(self, replay, items, starts, completed=True):
        self.replay, self.items, self.completed = replay, items, completed
        self.layers, self.inner = [], []
        self.exits = defaultdict(set)
        current = {(context, last) for context, nodes in starts.items()
                   for node in nodes for last in replay.settle(node)}
        for item in items:
            current = self.forward(item, current)
        for context, node in current:
            if node == END:
                self.exits[context].add(END)
            elif node[0] == EXIT and completed:
                self.exits[context].add(node[1])

    def forward(self, item, current):
        """One step on: remembers where each node goes, returns all that is reached."""
        here = {(context, node) for context, node in current
                if self.replay.fits(item.step, node)}
        self.replay.nodes[item.index].update(node for _, node in here)
        inner = self.open_call(item, here) if item.children is not None else None
        self.inner.append(inner)
        ends = not self.completed and item is self.items[-1]
        layer = {(context, node): self.moves(item, node, inner, ends) for context, node in here}
        self.layers.append(layer)
        return {(context, following) for (context, _), moves in layer.items()
                for following in moves}

    def open_call(self, item, here):
        graph = self.replay.graph
        contexts = {callee for _, node in here if node[0].kind == "call"
                    for callee in graph.contexts(node)}
        starts = {callee: set(graph.start_nodes(callee)) for callee in contexts}
        return Segment(self.replay, item.children, starts, item.completed)

    def moves(self, item, node, inner, ends):
        """Where an execution at node is at the next listed step of this frame, or has left."""
        replay = self.replay
        if item.step.closed:
            if node[0].kind != "call":
                return set()
            return self.settle_all(following for following, inside
                                   in replay.checker.returns(node).items()
                                   if not replay.limited or inside <= item.step.inside)
        if inner is not None:
            exits = {(callee, leaving) for callee in replay.graph.contexts(node)
                     for leaving in inner.exits[callee]}
            if ends:
                return {END} if exits else set()
            return self.settle_all(replay.graph.resume(node, leaving) for _, leaving in exits)
        if ends:
            return {END} if replay.is_target(*node) else set()
        return self.settle_all(replay.graph.steps(node))

    def settle_all(self, nodes):
        return {last for node in nodes for last in self.replay.settle(node)}

    def restrict(self, pairs):
        """Keep only what lies on executions from a context to an exit, for these pairs."""
        live = defaultdict(set)
        for context, leaving in pairs:
            live[context, END if leaving == END else (EXIT, leaving)].add(leaving)
        for item, layer, inner in reversed(list(zip(self.items, self.layers, self.inner))):
            ahead, live = live, defaultdict(set)
            for (context, node), moves in layer.items():
                for following in moves:
                    live[context, node] |= ahead.get((context, following), set())
            live = defaultdict(set, {edge: leaving for edge, leaving in live.items() if leaving})
            self.replay.nodes[item.index].update(node for _, node in live)
            if inner is not None:
                inner.restrict(self.inner_pairs(live, ahead, inner))

    def inner_pairs(self, live, ahead, inner):
        """The (context, leaving) pairs of an opened call that kept executions use."""
        replay, pairs = self.replay, set()
        for (context, node), wanted in live.items():
            for callee in replay.graph.contexts(node):
                for leaving in inner.exits[callee]:
                    after = {END} if leaving == END else \
                        replay.settle(replay.graph.resume(node, leaving))
                    if any(ahead.get((context, last), set()) & wanted for last in after):
                        pairs.add((callee, leaving))
        return pairs


def check_trace(checker, trace, is_target, answer, shortest=False, expand=0, any_=False):
    """Raise Bad unless the trace is right for a target with that (reachable) answer.

    shortest, expand and any_ say how it was asked for; expand is the number of levels or None for all.
    """
    require(any_ or "any" not in trace, "any trace, but a shortest one was asked for")
    steps = [Step.read(data) for data in trace["steps"]]
    items = frames(steps)
    check_lengths(trace, items, answer, shortest)
    check_opened(items, 0, expand)
    check_insides(steps, items)
    replay = Replay(checker, items, is_target)
    require(replay.possible, "no execution follows the listed steps to the target"
            f" (they fit up to step {replay.furthest} of 0..{len(steps) - 1} at most)")
    require(Replay(checker, items, is_target, limited=True).possible,
            "a closed call is shown with fewer statements than any run of it has")
    if trace.get("pinned"):
        require(Replay(checker, items, is_target, stated=True).possible,
                "no execution follows the listed steps with the values that they show")
        return
    for index, step in enumerate(steps):
        expected = replay.state(index)
        require(step.state == expected,
                f"step {index} ({step.proc}:{step.line}): state {step.state}, not {expected}")


def check_lengths(trace, items, answer, shortest):
    length, hierarchical = int(trace["length"]), int(trace["hierarchical_length"])
    spine = spine_length(items)
    require(hierarchical == spine, f"hierarchical_length {hierarchical}, but {spine} steps listed")
    listed = sum(item.weight() for item in items)
    require(length == listed, f"length {length}, but the steps amount to {listed}")
    if shortest:
        require(length == answer.expanded, f"length {length}, least is {answer.expanded}")
        require("shallow" not in trace, "--shortest, and shallow")
    elif trace.get("shallow") or trace.get("any"):
        require(hierarchical >= answer.hierarchical,
                f"hierarchical_length {hierarchical}, least is {answer.hierarchical}")
    else:
        require(hierarchical == answer.hierarchical,
                f"hierarchical_length {hierarchical}, least is {answer.hierarchical}")


def spine_length(items):
    """Steps outside completed calls."""
    last = items[-1]
    deeper = spine_length(last.children) if last.children and not last.completed else 0
    return len(items) + deeper


def check_opened(items, level, expand):
    """Completed calls are opened exactly down to the level asked for."""
    for item in items:
        completed = item.children is not None and item.completed
        if completed:
            require(expand is None or level < expand, f"step {item.index}: call opened too far")
        if item.step.closed:
            require(expand is not None and level >= expand, f"step {item.index}: call not opened")
        check_opened(item.children or [], level + completed, expand)


def check_insides(steps, items):
    """A call shows the number of statements inside if it is closed, and never a wrong one."""
    for step in steps:
        require(not step.closed or (step.kind == "call" and step.inside is not None),
                f"{step.proc}:{step.line}: a closed step must be a call with its length inside")
    for item in items:
        if item.children is not None and item.completed and item.step.inside is not None:
            require(item.step.inside == item.weight() - 1,
                    f"step {item.index}: inside {item.step.inside}, not {item.weight() - 1}")
        if item.children:
            check_insides([], item.children)


def check_text(lines, trace):
    """The text form of the same trace: a line a step, two more blanks for each call depth."""
    steps = [Step.read(data) for data in trace["steps"]]
    require(len(lines) == len(steps), f"{len(lines)} trace lines for {len(steps)} steps")
    margin = len(lines[0]) - len(lines[0].lstrip(" "))
    for text, step in zip(lines, steps):
        blanks = len(text) - len(text.lstrip(" "))
        require(blanks == margin + 2 * step.depth, f"wrong indentation: {text!r}")
        require(str(step.line) in text, f"line {step.line} is not named: {text!r}")
