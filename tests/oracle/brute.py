"""Traces judged by brute force on bounded stacks, and real executions to judge: for selftest.py.

A listed step is a dictionary as in the JSON of `bp`: proc, line, depth, kind, closed, inside.
"""

from collections import defaultdict

from bounded import BRANCH_KINDS


class TooMany(Exception):
    """More machine states than brute force should try."""


class Follower:
    """All runs of a machine that follow listed steps, as sets of whole stacks."""

    def __init__(self, machine, steps, is_target, cap=5_000):
        self.machine, self.cap = machine, cap
        layers = [self.listed(steps[0], self.settle(machine.initial_states()))]
        moves = []
        for step, following in zip(steps, steps[1:]):
            moves.append({state: self.listed(following, self.after(step, state))
                          for state in layers[-1]})
            layers.append(set().union(*moves[-1].values()))
            if len(layers[-1]) > cap:
                raise TooMany
        self.layers = [{state for state in layers[-1] if is_target(state)}]
        for move in reversed(moves):
            self.layers.insert(0, {state for state, ahead in move.items()
                                   if ahead & self.layers[0]})

    def settle(self, states):
        """The states at listed statements that silent steps lead to."""
        result, todo = set(), list(states)
        while todo:
            state = todo.pop()
            if self.machine.at(state).counted:
                result.add(state)
            else:
                todo.extend(self.machine.successors(state))
        return result

    def listed(self, step, states):
        return {state for state in states if self.matches(step, state)}

    def matches(self, step, state):
        at = self.machine.at(state)
        kinds = BRANCH_KINDS if at.op == "branch" else {at.op}
        return (at.proc.name, at.line, len(state[1]) - 1) == \
            (step["proc"], step["line"], step["depth"]) and step["kind"] in kinds

    def after(self, step, state):
        ahead = self.machine.successors(state)
        if step.get("closed"):
            ahead = self.returned(ahead, len(state[1]))
        return self.settle(ahead)

    def returned(self, states, height):
        """The states in which a callee has come back to a stack of the given height."""
        seen, todo = set(states), list(states)
        while todo:
            state = todo.pop()
            if len(state[1]) > height:
                new = self.machine.successors(state) - seen
                seen |= new
                todo += new
            if len(seen) > self.cap:
                raise TooMany
        return {state for state in seen if len(state[1]) == height}

    def state(self, index):
        """The variables with one value in all these runs at a listed step."""
        seen = defaultdict(set)
        for state in self.layers[index]:
            for name, bit in self.machine.env(state).items():
                seen[name].add(bit)
        return {name: min(bits) for name, bits in seen.items() if len(bits) == 1}


def random_run(machine, random, length):
    """The states at the counted statements of a random run, at most length of them."""
    run = []
    states = sorted(machine.initial_states(), key=str)
    while states and len(run) < length:
        state = random.choice(states)
        if machine.at(state).counted:
            run.append(state)
        states = sorted(machine.successors(state), key=str)
    return run


def list_steps(machine, run, random, closing):
    """The run as listed steps, completed calls closed with probability closing."""
    steps, at = [], 0
    while at < len(run):
        instruction, depth = machine.at(run[at]), len(run[at][1]) - 1
        kind = instruction.op
        if kind == "branch":
            kind = "while" if instruction.stmt.kind == "while" else "if"
        step = {"proc": instruction.proc.name, "line": instruction.line, "depth": depth,
                "kind": kind}
        back = at + 1
        while back < len(run) and len(run[back][1]) - 1 > depth:
            back += 1
        if kind == "call" and back < len(run) and random.random() < closing:
            step.update(closed=True, inside=back - at - 1)
            at = back - 1
        steps.append(step)
        at += 1
    return steps
