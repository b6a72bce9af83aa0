"""Judges the lasso of `bp ltl --json --expand`: is there an execution along it that violates the formula?

The listed steps, prefix and loop, are one more automaton that runs beside the program: it lets pass what
matches the next step, and is back at the first step of the loop after the last one. What the search of
ltl_program.py then finds is an execution that follows the list for ever and violates the formula, with the
values that the list shows. Where control falls off the end of a procedure is not listed unless some is.
"""

from dataclasses import dataclass

import ltl
from ltl_program import FAILED, TERMINATED, Buchi, Search, in_frame, leaves_frame
from traces import Bad, Step, require

ENDS = {TERMINATED, FAILED}


@dataclass(frozen=True)
class At:
    """A state of the list: the formula's state, the next step, the depth of the frame on top; back says
    that this step begins another round, which may find the stack higher."""

    formula: int
    step: int
    depth: int
    back: bool = False


class Lasso:
    """The list as it was printed; ending is the word for how it stops, or None if it has a loop of steps."""

    def __init__(self, trace):
        require("loop_start" in trace, "no loop_start")
        self.steps = [Step.read(data) for data in trace["steps"]]
        self.start = int(trace["loop_start"])
        self.stutters = self.start == len(self.steps)
        if self.steps and self.steps[-1].kind in ENDS:
            require(self.start == len(self.steps) - 1, "what follows the end of the execution is no loop")
            self.stutters = self.steps.pop().kind
        self.growth = trace.get("growth")
        if "end" in trace:
            require(self.stutters in (True, trace["end"]), f"end {trace['end']}, but there are steps in the loop")
            self.stutters = trace["end"]
        require(0 <= self.start <= len(self.steps), f"loop_start {self.start}")
        self.ends_listed = any(step.kind == "end" for step in self.steps)
        loop = self.steps[self.start:]
        require(all(step.depth >= loop[0].depth for step in loop), "the loop goes below the frame it begins in")

    def restart(self, index):
        """What follows the step before index: (index, does a round begin)."""
        again = index == len(self.steps) and not self.stutters
        return (self.start, True) if again else (index, False)


class Along:
    """The automaton of the formula on executions along a lasso only; shown values must hold."""

    def __init__(self, positions, formula, lasso, values=True):
        self.positions, self.lasso, self.values = positions, lasso, values
        self.formula = Buchi(positions, formula)
        self.starts = [At(state, *lasso.restart(0)[:1], 0) for state in self.formula.starts]
        self.furthest = 0

    def edges(self, at, position):
        ahead = self.follow(at, self.positions.nodes[position])
        if ahead is None:
            return
        for state, accepting in self.formula.edges(at.formula, position):
            yield At(state, *ahead), accepting

    def follow(self, at, node):
        """(step, depth, back) after a node, or None if the list does not allow it here."""
        lasso, vertex = self.lasso, node[0]
        if not in_frame(node):
            allowed = lasso.stutters in (True, vertex) and at.step == len(lasso.steps)
            return (at.step, at.depth, False) if allowed else None
        if vertex.kind == "end" and not lasso.ends_listed:
            return at.step, at.depth - 1, at.back
        if at.step == len(lasso.steps) or not self.matches(at, node):
            return None
        self.furthest = max(self.furthest, at.step)
        depth = lasso.steps[at.step].depth + (vertex.kind == "call") - leaves_frame(vertex)
        step, back = lasso.restart(at.step + 1)
        return step, depth, back

    def matches(self, at, node):
        step, (vertex, valuation) = self.lasso.steps[at.step], node
        higher = at.depth - step.depth
        if higher < 0 or (higher and not at.back):
            return False
        if at.back and self.lasso.growth not in (None, higher):
            return False
        if vertex.kind == "end":
            if (step.kind, step.proc) != ("end", vertex.proc.name):
                return False
        elif not step.matches(vertex):
            return False
        names = self.positions.graph.names(vertex.proc, valuation)
        require(all(name in names for name in step.state),
                f"step {at.step}: a variable that is not in scope: {step.state}")
        return not self.values or all(names[name] == bit for name, bit in step.state.items())


def follows(positions, formula, lasso, values=True):
    along = Along(positions, formula, lasso, values)
    return Search(positions, along).violated, along.furthest


def check_lasso(checker, text, trace):
    """Raise Bad unless an execution along the trace violates the formula of that text."""
    lasso, positions = Lasso(trace), checker.positions
    violating, everything = ("not", ltl.parse(text)), ("true",)
    if follows(positions, violating, lasso)[0]:
        return
    possible, furthest = follows(positions, everything, lasso, False)
    require(possible, f"no execution goes on for ever along the steps, furthest is {furthest}"
                      f" of {len(lasso.steps)}, loop from {lasso.start}")
    require(follows(positions, violating, lasso, False)[0],
            "executions along the steps do not violate the formula")
    require(follows(positions, everything, lasso)[0], "no execution along the steps has the values shown")
    raise Bad("no execution along the steps that violates the formula has the values shown")


def check_closed(trace, opened):
    """The lasso with completed calls closed is the opened one without what is inside them."""
    steps = [Step.read(data) for data in opened["steps"]]
    closed = [Step.read(data) for data in trace["steps"]]
    where, at = {}, 0
    for index, step in enumerate(closed):
        where[at] = index
        require(at < len(steps), "the closed form has more steps than the opened one")
        mine, at = steps[at], at + 1
        require((step.proc, step.line, step.depth, step.kind) == (mine.proc, mine.line, mine.depth, mine.kind),
                f"step {index} is not step {at - 1} of the opened form")
        first = at
        while step.closed and at < len(steps) and steps[at].depth > step.depth:
            at += 1
        inside = sum(each.kind != "end" for each in steps[first:at])
        require(not step.closed or step.inside == inside, f"step {index}: inside is not {inside}")
    where[at] = len(closed)
    require(at == len(steps), "the closed form has fewer steps than the opened one")
    require(where.get(int(opened["loop_start"])) == int(trace["loop_start"]),
            f"loop_start {trace['loop_start']}, and {opened['loop_start']} in the opened form")
    check_lengths(trace, opened)


def check_lengths(trace, opened):
    counts = len(opened["steps"]), len(trace["steps"])
    for each in (trace, opened):
        said = int(each["length"]), int(each["hierarchical_length"])
        require(said == counts, f"length and hierarchical_length are {said}, not {counts}")


def as_trace(checker, search, opened=True):
    """The lasso of a search as bp prints it: ends are not listed, a stuttering loop has no steps."""
    steps, positions, start = [], checker.positions, 0
    parts = search.lasso_listed(opened)
    for part in parts:
        start = len(steps)
        for position, depth, inside in part:
            vertex, valuation = positions.nodes[position]
            if in_frame((vertex, valuation)) and vertex.counted:
                step = {"proc": vertex.proc.name, "line": vertex.line, "depth": depth, "kind": vertex.kind,
                        "state": positions.graph.names(vertex.proc, valuation)}
                steps.append(step if inside is None else step | {"closed": True, "inside": inside})
    last = positions.nodes[parts[1][-1][0]]
    kinds = [positions.moves(position)[0] for position, _, inside in parts[1] if inside is None]
    trace = {"loop_start": start, "steps": steps, "growth": kinds.count("call") - kinds.count("leave")}
    return trace if in_frame(last) else trace | {"end": last[0]}
