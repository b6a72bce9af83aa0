"""A second, even dumber reading of the language: a machine with explicit stacks of bounded depth.

It shares only the parser with explicit.py: programs become flat code with jumps, variables are
looked up by name, and every `*` is tried with 0 and 1 by running the step again. It knows every
run whose stack stays within the bound, so all it reaches is reachable, and it misses nothing if
no stack ever needed more.
"""

from collections import deque
from dataclasses import dataclass


BRANCH_KINDS = {"if", "elsif", "while"}


class Blocked(Exception):
    """The run cannot go on with these choices."""


@dataclass(eq=False)
class Instruction:
    """op is a statement kind, or jump, branch, end; goes are the places it may go on at."""

    op: str
    proc: object
    line: int
    stmt: object = None
    cond: tuple = None
    goes: list = None
    enforced: tuple = ()
    counted: bool = True


@dataclass(frozen=True)
class Frame:
    """One activation; globals_at_call are the globals when its caller called it."""

    place: int
    variables: tuple
    globals_at_call: tuple = None


class Chooser:
    """Answers for `*` in one run of a step."""

    def __init__(self, preset):
        self.preset, self.made = preset, []

    def __call__(self):
        index = len(self.made)
        self.made.append(self.preset[index] if index < len(self.preset) else 0)
        return self.made[-1]


def all_outcomes(action):
    """The results of action under all choices, blocked ones left out."""
    choices = []
    while True:
        chooser = Chooser(choices)
        try:
            yield action(chooser)
        except Blocked:
            pass
        choices = chooser.made
        while choices and choices[-1] == 1:
            choices.pop()
        if not choices:
            return
        choices[-1] = 1


def evaluate(expr, env, after, choose):
    kind = expr[0]
    if kind == "const":
        return expr[1]
    if kind == "star":
        return choose()
    if kind == "var":
        return env[expr[1]]
    if kind == "prime":
        return after[expr[1]]
    first, *rest = [evaluate(part, env, after, choose) for part in expr[1:]]
    if kind == "schoose":
        return 1 if first else 0 if rest[0] else choose()
    if kind == "cond":
        return rest[0] if first else rest[1]
    return int({"not": lambda: not first, "and": lambda: first and rest[0],
                "or": lambda: first or rest[0], "xor": lambda: first != rest[0],
                "ne": lambda: first != rest[0], "eq": lambda: first == rest[0],
                "imp": lambda: first <= rest[0]}[kind]())


class Machine:
    """The program as flat code; a state is (globals, stack of frames), the top frame last."""

    def __init__(self, program, depth):
        self.program, self.depth = program, depth
        self.code, self.begin, self.place = [], {}, {}
        self.cut = False
        for proc in program.procs.values():
            self.begin[proc.name] = len(self.code)
            self.emit_block(proc, proc.body, ())
            self.emit(Instruction("end", proc, proc.end_line, counted=False))

    # Code

    def emit(self, instruction):
        self.code.append(instruction)
        return instruction

    def emit_block(self, proc, block, enforced):
        for stmt in block:
            self.place[stmt] = len(self.code)
            if stmt.kind == "if":
                self.emit_if(proc, stmt, enforced)
            elif stmt.kind == "while":
                head = len(self.code)
                test = self.emit(Instruction("branch", proc, stmt.line, stmt, stmt.arms[0].cond))
                self.emit_block(proc, stmt.arms[0].block, enforced)
                self.emit(Instruction("jump", proc, 0, goes=[head], counted=False))
                test.goes = [len(self.code)]
            else:
                counted = stmt.kind not in ("decl", "enforce")
                clauses = () if stmt.kind == "decl" else enforced
                self.emit(Instruction(stmt.kind, proc, stmt.line, stmt, None, None, clauses,
                                      counted))
            if stmt.kind == "enforce":
                enforced = enforced + stmt.exprs

    def emit_if(self, proc, stmt, enforced):
        jumps = []
        for arm in stmt.arms:
            test = self.emit(Instruction("branch", proc, arm.line, stmt, arm.cond))
            self.emit_block(proc, arm.block, enforced)
            jumps.append(self.emit(Instruction("jump", proc, 0, counted=False)))
            test.goes = [len(self.code)]
        self.emit_block(proc, stmt.otherwise, enforced)
        for jump in jumps:
            jump.goes = [len(self.code)]

    # States

    def initial_states(self):
        entry = self.program.procs[self.program.entry]

        def start(choose):
            outer = tuple(choose() if init is None else evaluate(init, {}, {}, choose)
                          for init in self.program.globals.values())
            return outer, (self.new_frame(entry, None, None, choose),)
        return set(all_outcomes(start))

    def new_frame(self, proc, args, outer, choose):
        args = [choose() for _ in proc.formals] if args is None else args
        variables = tuple(args) + tuple(choose() for _ in proc.locals)
        return Frame(self.begin[proc.name], variables, outer)

    def at(self, state):
        return self.code[state[1][-1].place]

    def env(self, state):
        outer, stack = state
        env = dict(zip(self.program.globals, outer))
        env.update(zip(self.code[stack[-1].place].proc.frame(), stack[-1].variables))
        return env

    def with_values(self, state, changes, place):
        """The state with variables changed by name and the top frame at another place."""
        outer, stack = state
        frame = self.code[stack[-1].place].proc.frame()
        outer = tuple(changes.get(name, bit) if name not in frame else bit
                      for name, bit in zip(self.program.globals, outer))
        variables = tuple(changes.get(name, bit)
                          for name, bit in zip(frame, stack[-1].variables))
        return outer, stack[:-1] + (Frame(place, variables, stack[-1].globals_at_call),)

    def successors(self, state):
        return set(all_outcomes(lambda choose: self.step(state, choose)))

    def fails(self, state):
        """Can the assertion the state is at be violated?"""
        at, env = self.at(state), self.env(state)
        if at.op not in ("assert", "abortif"):
            return False
        return any(bool(value) == (at.op == "abortif") for value in all_outcomes(
            lambda choose: evaluate(at.stmt.exprs[0], env, env, choose)))

    # One step

    def step(self, state, choose):
        at, env, following = self.at(state), self.env(state), state[1][-1].place + 1
        if at.op == "jump":
            return self.with_values(state, {}, at.goes[0])
        if at.op == "branch":
            holds = evaluate(at.cond, env, env, choose)
            return self.with_values(state, {}, following if holds else at.goes[0])
        if at.op == "goto":
            return self.with_values(state, {}, self.goto(at, choose))
        if at.op in ("assert", "assume", "enforce", "constrain", "abortif"):
            if bool(evaluate(at.stmt.exprs[0], env, env, choose)) == (at.op == "abortif"):
                raise Blocked
        if at.op == "call":
            return self.call(state, at, env, choose)
        if at.op in ("return", "end"):
            return self.leave(state, at, env, choose)
        return self.with_values(state, self.changes(at, env, choose), following)

    def goto(self, at, choose):
        """Chooses by binary digits; numbers past the last label are blocked."""
        number = 0
        for _ in range(len(at.stmt.names).bit_length()):
            number = 2 * number + choose()
        if number >= len(at.stmt.names):
            raise Blocked
        return self.place[at.proc.labels[at.stmt.names[number]][0]]

    def changes(self, at, env, choose):
        if at.op == "assign" or (at.op == "decl" and at.stmt.exprs):
            bits = [evaluate(expr, env, env, choose) for expr in at.stmt.exprs]
            result = dict(zip(at.stmt.names, bits))
            after = {**env, **result}
            if at.stmt.relation and not evaluate(at.stmt.relation, env, after, choose):
                raise Blocked
            if not all(evaluate(clause, after, after, choose) for clause in at.enforced):
                raise Blocked
            return result
        havoc = at.op == "decl" or (at.op == "dead" and self.program.options.dead == "havoc")
        return {name: choose() for name in at.stmt.names} if havoc else {}

    def call(self, state, at, env, choose):
        if len(state[1]) == self.depth:
            self.cut = True
            raise Blocked
        args = [evaluate(expr, env, env, choose) for expr in at.stmt.exprs]
        callee = self.program.procs[at.stmt.callee]
        return state[0], state[1] + (self.new_frame(callee, args, state[0], choose),)

    def leave(self, state, at, env, choose):
        if at.op == "return" and at.stmt.exprs:
            results = [evaluate(expr, env, env, choose) for expr in at.stmt.exprs]
        elif at.proc.results and self.program.options.fall_off == "block":
            raise Blocked
        else:
            results = [choose() for _ in range(at.proc.results)]
        outer, stack = state
        if len(stack) == 1:
            raise Blocked
        caller = outer, stack[:-1]
        names = self.at(caller).stmt.names or ()
        changes = {name: bit for name, bit in zip(names, results) if name != "_"}
        return self.with_values(caller, changes, stack[-2].place + 1)


def explore(machine, cap=20_000):
    """Least expanded and hierarchical distance of every state, or None if there are too many.

    A return costs nothing by itself hierarchically: the caller goes on one after its call.
    """
    expanded = {state: 0 for state in machine.initial_states()}
    hierarchical = dict(expanded)
    queue = deque(expanded)
    while queue:
        state = queue.popleft()
        at = machine.at(state)
        for following in machine.successors(state):
            far = expanded[state] + at.counted
            near = hierarchical[state] + at.counted
            if len(following[1]) < len(state[1]):
                call = state[1][-1].globals_at_call, state[1][:-1]
                near = hierarchical[call] + 1
            if far < expanded.get(following, far + 1) or \
                    near < hierarchical.get(following, near + 1):
                expanded[following] = min(far, expanded.get(following, far))
                hierarchical[following] = min(near, hierarchical.get(following, near))
                queue.append(following)
        if len(expanded) > cap:
            return None
    return expanded, hierarchical
