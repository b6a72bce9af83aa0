# SPDX-License-Identifier: MIT
"""Programs in the shape of an abstracted device driver, after those of SLAM.

Two protocols are watched: a lock that is acquired and released, and a request that is started,
prepared and finished. Their states are globals; a wrong step calls error(), which holds label ERROR.
Hundreds of procedures in layers do long straight-line work on predicates and use the protocols in
pairs whose conditions are correlated: `if (c) then acquire(); fi ... if (c) then release(); fi`, where
c does not change in between. In an unsafe program one procedure, deep down, uses two conditions that
may differ. No path blocks, and every procedure is called on a path that exists, so ERROR is then
reachable.
"""

import random

LOCK, REQUEST = "lock", "request"

MONITORS = """void error() begin
  ERROR: skip;
end
void acquire() begin
  if (held) then error(); fi
  held := 1;
end
void release() begin
  if (!held) then error(); fi
  held := 0;
end
bool try_acquire() begin
  if (*) then acquire(); return 1; fi
  return 0;
end
void step_start() begin
  if (s0 | s1) then error(); fi
  s0, s1 := 1, 0;
end
void step_prepare() begin
  if (!s0 | s1) then error(); fi
  s0, s1 := 0, 1;
end
void step_finish() begin
  if (s0 | !s1) then error(); fi
  s0, s1 := 0, 0;
end
"""


class Procedure:
    """What is known of a procedure before its body is made."""

    def __init__(self, index, level, uses):
        self.name, self.level, self.uses = f"dev{index}", level, uses
        self.must_call = []


class Driver:
    """The making of one program."""

    def __init__(self, procedures, flags, statements, seed, safe):
        self.rng = rng = random.Random(f"driver {procedures} {flags} {statements} {seed}")
        self.statements = statements
        depth = max(2, min(8, procedures // 8))
        self.layers = [[] for _ in range(depth + 1)]
        for i in range(procedures):
            uses = rng.choice([{LOCK, REQUEST}, {LOCK, REQUEST}, {LOCK}, {REQUEST}, set()])
            level = 1 + i * depth // procedures
            self.layers[level].append(Procedure(i, level, uses))
        for level in range(1, depth + 1):
            self.layers[level][0].uses = {LOCK, REQUEST}
            if level > 1:
                for p in self.layers[level]:
                    rng.choice([q for q in self.layers[level - 1] if q.uses >= p.uses]).must_call.append(p)
        # A procedure changes a few flags of its own layer only, so those of the layers above it last.
        self.flags = [[f"f{i}" for i in range(flags) if i % (depth + 1) == level] for level in range(depth + 1)]
        self.guilty = None if safe else rng.choice([p for p in self.layers[depth] if LOCK in p.uses])

    def program(self):
        declared = ", ".join(sorted((f for group in self.flags for f in group), key=lambda f: int(f[1:])))
        yield f"decl held, s0, s1, {declared};\n" + MONITORS
        for layer in self.layers[1:]:
            for procedure in layer:
                yield from self.procedure(procedure)
        yield "void main() begin\n  decl l0, l1;\n  held, s0, s1 := 0, 0, 0;\n  while (*) do\n"
        for i, procedure in enumerate(self.layers[1]):
            call = f"l0 := {procedure.name}(l1, {self.rng.choice(self.flags[0])});"
            yield f"    {'elsif' if i else 'if'} (*) then {call}\n"
        yield f"    else {self.rng.choice(self.flags[0])} := *; l1 := l0;\n    fi\n  od\nend\n"

    def procedure(self, p):
        self.now = p
        self.locals = [f"l{i}" for i in range(self.rng.randint(3, 7))]
        above = [f for group in self.flags[: p.level] for f in group]
        self.fixed = ["a0", "a1"] + self.rng.sample(above, min(2, len(above)))
        self.own = self.rng.sample(self.flags[p.level], min(2, len(self.flags[p.level])))
        self.readable = self.fixed + self.own
        yield f"bool {p.name}(a0, a1) begin\n  decl {', '.join(self.locals)};\n"
        sections = [lambda q=q: self.call(q, "  ") for q in p.must_call]
        sections += [lambda: self.section(p.uses, 0, "  ") for _ in range(self.rng.randint(2, 4))]
        if p is self.guilty:
            sections.append(self.bug)
        self.rng.shuffle(sections)
        for section in sections:
            yield from self.work(self.statements // len(sections), "  ")
            yield from section()
        yield f"  return {self.value()};\nend\n"

    def value(self):
        pool = self.locals + self.readable
        a, b = self.rng.choice(pool), self.rng.choice(pool)
        kinds = [a, f"!{a}", f"{a} & {b}", f"{a} | !{b}", f"schoose[{a} & {b}, !{a}]", "0", "1", "*", "*", "*"]
        return self.rng.choice(kinds)

    def work(self, count, indent, keep=()):
        """Straight-line statements that leave the locals in `keep` alone."""
        targets = [v for v in self.locals + self.own if v not in keep]
        while count > 0:
            count -= 1
            a, b = self.rng.choice(targets), self.rng.choice(targets)
            chance = self.rng.random()
            if chance < 0.15 and a != b:
                yield f"{indent}{a}, {b} := {self.value()}, {self.value()};\n"
            elif chance < 0.25:
                condition = self.rng.choice(self.locals + self.readable)
                yield f"{indent}if ({condition}) then {a} := {self.value()}; else {b} := {self.value()}; fi\n"
            else:
                yield f"{indent}{a} := {self.value()};\n"

    def call(self, q, indent, keep=()):
        target = self.rng.choice([v for v in self.locals if v not in keep] + ["_"])
        call = f"{target} := {q.name}({self.rng.choice(self.locals)}, {self.value()});"
        kind = self.rng.randrange(4)
        if kind == 0:
            yield f"{indent}{call}\n"
        elif kind == 1:
            yield f"{indent}while (*) do {call} od\n"
        else:
            yield f"{indent}if (*) then {call} fi\n"

    def section(self, free, depth, indent, keep=()):
        """Something that uses the protocols in `free` and leaves them as they were."""
        if depth < 2 and free and self.rng.random() < 0.75:
            yield from self.pair(self.rng.choice(sorted(free)), free, depth, indent, keep)
            return
        below = [q for layer in self.layers[self.now.level + 1 : self.now.level + 3] for q in layer if q.uses <= free]
        if below:
            yield from self.call(self.rng.choice(below), indent, keep)
        yield from self.work(3, indent, keep)

    def pair(self, protocol, free, depth, indent, keep):
        spare = [v for v in self.locals if v not in keep]
        inside = indent + "  "
        if protocol == LOCK and self.rng.random() < 0.3 and len(spare) > 1:
            condition = self.rng.choice(spare)
            keep = (*keep, condition)
            first, between, last = f"{condition} := try_acquire();", None, f"if ({condition}) then release(); fi"
        else:
            own = self.rng.random() < 0.5 and len(spare) > 1
            condition = self.rng.choice(spare if own else self.fixed)
            keep = (*keep, condition) if own else keep
            steps = ["acquire();", None, "release();"]
            if protocol == REQUEST:
                steps = ["step_start();", "step_prepare();", "step_finish();"]
            first, between, last = (s and f"if ({condition}) then {s} fi" for s in steps)
        yield f"{indent}{first}\n"
        yield from self.section(free - {protocol}, depth + 1, inside, keep)
        if between:
            yield f"{indent}{between}\n"
            yield from self.work(2, inside, keep)
        yield f"{indent}{last}\n"

    def bug(self):
        a, b = self.rng.sample(self.locals, 2)
        yield f"  {a}, {b} := *, *;\n  if ({a}) then acquire(); fi\n"
        yield from self.work(4, "  ", (a, b))
        yield f"  if ({b}) then release(); fi\n"


def driver(procedures, flags, statements, seed, safe=True):
    """The pieces of a driver with so many procedures of about so many statements, and so many flags."""
    return Driver(procedures, flags, statements, seed, safe).program()
