# SPDX-License-Identifier: MIT
"""Programs of no family: what they are like is drawn at random, anew for each seed.

Some of the globals can be in groups that keep an invariant: `zeros` stay 0, `twins` equal, of `onehot` ones exactly
one is 1, `counter` ones count, of `order` ones each implies the next, the `parity` of some never changes. BAD wants
something of one global up to all of them, or an invariant broken.
"""

import random

TARGETS = ("lit", "conj2", "conj3", "conj8", "cube", "pairs", "disj", "disjconj", "xor", "control")
PLACES = ("main", "callee", "sites", "params", "recursive", "dag")
CONTROLS = ("zeros", "twins", "onehot", "counter", "order", "parity")
OPERATORS = {"mixed": "&|^=", "andor": "&|", "linear": "^=", "mostlyand": "&&&|^", "mostlyxor": "^^=&"}
RESULTS = {0: "void", 1: "bool", 2: "bool<2>"}


def features(rng):
    """What a program is like."""
    f = {"n": rng.randint(20, 60)}
    f["start"] = rng.choice(("const", "const", "any", "half"))
    f["zero"] = rng.random() < 0.4  # constants at the start are all 0
    f["loops"] = rng.choice((0, rng.randint(10, 25), rng.randint(10, 25), rng.randint(1, 9)))
    f["nested"] = rng.random() < 0.5
    f["conds"] = rng.choice(("star", "star", "some", "many"))
    f["stmts"] = rng.randint(100, 250)
    f["near"] = rng.choice((0, 0, 2, 3, 5))  # how far apart, in a hidden order, variables of a statement are; 0: any
    f["ops"] = rng.choice(list(OPERATORS))
    f["stars"] = rng.choice((0, 0, 0.01, 0.04, 0.1))
    f["ifs"] = rng.choice((0, 0.1, 0.3, 0.5))
    f["copies"] = rng.choice((0.02, 0.08, 0.3, 0.6))
    f["consts"] = rng.choice((0, 0.02, 0.08, 0.2))
    f["par"] = rng.choice((0, 0, 0.1))  # assignments to two variables
    f["place"] = rng.choice(PLACES)
    few = rng.random() < 0.35
    f["controls"] = [] if few else [rng.choice(CONTROLS) for _ in range(rng.choice((1, 1, 2, 3, 5)))]
    f["isolated"] = rng.random() < 0.3  # other statements do not read the groups
    f["ctlrate"] = rng.choice((0.05, 0.15, 0.4))
    f["broken"] = bool(f["controls"]) and rng.random() < 0.3
    f["target"] = rng.choice(TARGETS)
    if f["target"] == "control" and not f["controls"]:
        f["target"] = rng.choice(TARGETS[:-1])
    f["where"] = rng.choice(("main", "main", "callee")) if f["place"] != "main" else "main"
    f["wrong"] = rng.random() < 0.3  # the target also wants an invariant broken
    return f


class Odd:
    """The program of a seed."""

    def __init__(self, seed):
        rng = self.rng = random.Random(f"hunt {seed}")
        self.f = features(rng)
        self.groups = []
        for i, kind in enumerate(self.f["controls"]):
            sizes = {"zeros": 3, "twins": 2, "onehot": rng.randint(3, 6), "counter": rng.randint(2, 5),
                     "order": rng.randint(2, 4), "parity": rng.randint(3, 6)}  # fmt: skip
            self.groups.append((kind, [f"c{i}_{j}" for j in range(sizes[kind])]))
        grouped = [name for _, names in self.groups for name in names]
        self.plain = [f"x{i}" for i in range(self.f["n"])][: max(8, self.f["n"] - len(grouped))]
        self.all = self.plain + grouped
        self.order = list(self.plain)
        rng.shuffle(self.order)
        if not self.f["isolated"]:
            for _, names in self.groups:
                at = rng.randint(0, len(self.order))
                self.order[at:at] = names
        self.position = {name: i for i, name in enumerate(self.order)}
        self.locals = []  # of the procedure at hand
        self.procedures = []

    # ---- expressions

    def variable(self, centre):
        near = self.f["near"]
        if self.locals and self.rng.random() < 0.2:
            return self.rng.choice(self.locals)
        if not near or centre is None:
            return self.rng.choice(self.order)
        low, high = max(0, centre - near), min(len(self.order) - 1, centre + near)
        return self.order[self.rng.randint(low, high)]

    def literal(self, centre):
        name = self.variable(centre)
        return name if self.rng.random() < 0.65 else "!" + name

    def expression(self, centre):
        return f"{self.literal(centre)} {self.rng.choice(OPERATORS[self.f['ops']])} {self.literal(centre)}"

    def place(self):
        """A variable to assign to, and where it stands."""
        if self.locals and self.rng.random() < 0.12:
            return self.rng.choice(self.locals), self.rng.randrange(len(self.order))
        name = self.rng.choice(self.plain)
        return name, self.position[name]

    def condition(self):
        rng, chance = self.rng, self.rng.random()
        if chance >= {"star": 0, "some": 0.25, "many": 0.7}[self.f["conds"]]:
            return "*"
        return rng.choice((self.literal(None), f"* & {self.literal(None)}", f"{self.literal(None)} | *",
                           self.expression(None)))  # fmt: skip

    # ---- statements

    def keeping(self):
        """Changes a group and keeps its invariant."""
        rng = self.rng
        kind, c = rng.choice(self.groups)
        at = None if self.f["isolated"] else self.position[c[0]]
        value = rng.choice((self.literal, self.expression))(at)
        if kind == "zeros":
            a, b, d = rng.sample(c, 3)
            return rng.choice((f"{a} := {b} & {self.literal(at)};", f"{a} := {b} | {d};", f"{a} := {b} ^ {d};",
                               f"{a} := {b};", f"{a} := {b} & ({value});"))  # fmt: skip
        if kind == "twins":
            p, q = c
            return rng.choice((f"{p}, {q} := {p} ^ ({value}), {q} ^ ({value});", f"{p}, {q} := ({value}), ({value});",
                               f"if ({self.literal(at)}) then {p}, {q} := {q} & ({value}), {p} & ({value}); fi"))  # fmt: skip
        if kind == "onehot":
            if rng.random() < 0.5:
                return f"if ({value}) then {', '.join(c)} := {', '.join(c[1:] + c[:1])}; fi"
            a, b = rng.sample(c, 2)
            return f"if ({value}) then {a}, {b} := {b}, {a}; fi"
        if kind == "counter":
            if rng.random() < 0.15:
                return f"if ({value}) then {', '.join(c)} := {', '.join('0' for _ in c)}; fi"
            ups = [f"!{c[0]}"] + [f"{c[i]} ^ ({' & '.join(c[:i])})" for i in range(1, len(c))]
            return f"if ({value}) then {', '.join(c)} := {', '.join(ups)}; fi"
        if kind == "order":
            i = rng.randrange(len(c))
            above = f" & {c[i + 1]}" if i + 1 < len(c) else ""
            below = f" | {c[i - 1]}" if i else ""
            return f"{c[i]} := (({value}){above}){below};"
        a, b = rng.sample(c, 2)
        return f"{a}, {b} := {a} ^ ({value}), {b} ^ ({value});"

    def assignment(self):
        rng, f = self.rng, self.f
        x, at = self.place()
        if rng.random() < f["stars"]:
            return f"{x} := *;"
        if rng.random() < f["consts"]:
            return f"{x} := {rng.choice('01')};"
        if rng.random() < f["copies"]:
            return f"{x} := {self.literal(at)};"
        if rng.random() < f["par"]:
            y, there = self.place()
            if y != x:
                if rng.random() < 0.4:
                    return f"{x}, {y} := {y}, {x};"
                return f"{x}, {y} := {self.expression(at)}, {self.expression(there)};"
        return f"{x} := {self.expression(at)};"

    def statement(self):
        rng = self.rng
        if self.groups and rng.random() < self.f["ctlrate"]:
            return self.keeping()
        if rng.random() < self.f["ifs"]:
            _, at = self.place()
            if rng.random() < 0.25:
                return f"if ({self.literal(at)}) then {self.assignment()} else {self.assignment()} fi"
            return f"if ({self.literal(at)}) then {self.assignment()} fi"
        return self.assignment()

    def straight(self, count, indent, call=None):
        lines = [f"{indent}{self.statement()}\n" for _ in range(count)]
        if call and count:
            lines.insert(self.rng.randint(0, len(lines)), f"{indent}{call()}\n")
        return "".join(lines)

    def block(self, count, loops, indent="  ", call=None, depth=0):
        """So many statements and loops; call() gives a call to put in now and then."""
        text = ""
        while loops:
            inside = 0
            if self.f["nested"] and depth < 3 and loops > 1 and self.rng.random() < 0.6:
                inside = self.rng.randint(1, min(4, loops - 1))
            this = max(1, round(count * (1 + inside) / loops) if loops > 1 + inside else count)
            this = min(this, count)
            condition = self.condition()
            text += f"{indent}while ({condition}) do\n"
            first = this // (inside + 1) if inside else 0
            if inside:
                text += self.straight(first, indent + "  ")
            text += self.block(this - first, inside, indent + "  ", call, depth + 1)
            if condition != "*" and self.rng.random() < 0.5:
                text += f"{indent}  {self.place()[0]} := *;\n"
            text += f"{indent}od\n"
            count, loops = count - this, loops - 1 - inside
            if not loops:
                return text
        return text + self.straight(count, indent, call)

    # ---- the target

    def sign(self, name):
        return name if self.rng.random() < 0.5 else "!" + name

    def signed(self, count):
        return " & ".join(self.sign(name) for name in self.rng.sample(self.all, min(count, len(self.all))))

    def broken(self, group):
        """That an invariant does not hold, or for a counter that it stands somewhere."""
        rng, (kind, c) = self.rng, group
        if kind == "zeros":
            return rng.choice((" | ".join(c), c[0]))
        if kind == "twins":
            return f"{c[0]} != {c[1]}"
        if kind == "onehot":
            a, b = rng.sample(c, 2)
            return rng.choice((f"{a} & {b}", "!(" + " | ".join(c) + ")"))
        if kind == "counter":
            return " & ".join(self.sign(name) for name in c)
        return f"{c[0]} & !{c[-1]}" if kind == "order" else " ^ ".join(c)

    def pair(self):
        a, b = self.rng.sample(self.all, 2)
        return f"({a} {self.rng.choice(('=', '!='))} {b})"

    def some_target(self):
        rng, kind = self.rng, self.f["target"]
        if kind == "lit":
            return self.sign(rng.choice(self.all))
        if kind.startswith("conj"):
            return self.signed(int(kind[4:]))
        if kind == "cube":
            return self.signed(len(self.all))
        if kind == "pairs":
            return " & ".join(self.pair() for _ in range(rng.randint(5, 25)))
        if kind == "disj":
            return " | ".join(self.sign(name) for name in rng.sample(self.all, rng.randint(2, 6)))
        if kind == "disjconj":
            count = rng.randint(2, 8)
            return " | ".join(f"({self.signed(count)})" for _ in range(rng.randint(2, 6)))
        if kind == "xor":
            odd = " ^ ".join(rng.sample(self.all, rng.randint(3, 10)))
            return f"!({odd})" if rng.random() < 0.5 else odd
        return self.broken(rng.choice(self.groups))

    def target(self):
        wanted = self.some_target()
        if self.f["target"] != "control" and self.groups and self.f["wrong"]:
            wanted = f"({wanted}) & ({self.broken(self.rng.choice(self.groups))})"
        return f"if ({wanted}) then BAD: skip; fi"

    # ---- procedures

    def begin(self):
        """Values at the start, under which the invariants hold; and then what breaks one."""
        rng, start = self.rng, self.f["start"]
        values, text = {}, ""
        for name in self.plain:
            if start == "const" or (start == "half" and rng.random() < 0.5):
                values[name] = "0" if self.f["zero"] else rng.choice("01")
        for kind, c in self.groups:
            if kind in ("zeros", "counter"):
                values.update({name: "0" for name in c})
            elif kind == "onehot":
                hot = rng.choice(c)
                values.update({name: "1" if name == hot else "0" for name in c})
            elif kind == "twins" and start != "const":
                values[c[0]] = rng.choice("01*")
                text += f"  {c[1]} := {c[0]};\n"
            elif kind == "order" and start != "const" and rng.random() < 0.5:
                text += f"  assume({' & '.join(f'({a} => {b})' for a, b in zip(c, c[1:]))});\n"
            elif kind == "parity" and start != "const" and rng.random() < 0.5:
                text += f"  {c[0]} := {' ^ '.join(c[1:])};\n"
            else:
                bit = rng.choice("01") if kind in ("order", "twins") else "0"
                values.update({name: bit for name in c})
        if values:
            text = f"  {', '.join(values)} := {', '.join(values.values())};\n" + text
        if not self.f["broken"]:
            return text, ""
        c = rng.choice(self.groups)[1]
        when = rng.choice(("*", self.expression(None)))
        return text, f"  if ({when}) then {rng.choice(c)} := !{rng.choice(c)}; fi\n"

    def procedure(self, head, body):
        self.procedures.append(f"{head} begin\n{body}end\n")

    def call(self, signature):
        name, args, results = signature
        values = [self.rng.choice((self.literal(None), self.expression(None), self.literal(None)))
                  for _ in range(args)]  # fmt: skip
        to = self.rng.sample(self.plain, results)
        return f"{', '.join(to)}{' := ' if to else ''}{name}({', '.join(values)});"

    def results(self, count, either):
        """A return of so many values."""
        values = [self.expression(None) if not either or self.rng.random() < 0.6 else self.literal(None)
                  for _ in range(count)]  # fmt: skip
        return f"  return {', '.join(values)};\n" if values else ""

    def in_main(self, _, breaks):
        count, loops = self.f["stmts"], self.f["loops"]
        if not breaks:
            return self.block(count, loops)
        first = self.block(count // 2, loops // 2)
        return first + breaks + self.block(count - count // 2, loops - loops // 2)

    def in_callee(self, bad, breaks):
        """One callee, called once or several times."""
        rng, count, loops = self.rng, self.f["stmts"], self.f["loops"]
        once = self.f["place"] == "callee"
        times = 1 if once else rng.randint(2, 5)
        part = 0 if once and rng.random() < 0.5 else count // 3  # of the statements in main
        part_loops = loops // 3 if part else 0
        early = rng.random() < 0.4
        count, loops = count - part, loops - part_loops
        first = self.block(count // 2, loops // 2)
        second = self.block(count - count // 2, loops - loops // 2)
        self.procedure("void work()", first + bad + second if early else first + second + bad)
        main = ""
        for i in range(times):
            if part:
                main += self.block(part // times, part_loops // times)
            if i == times // 2:
                main += breaks
            main += "  while (*) do work(); od\n" if times > 1 and rng.random() < 0.2 else "  work();\n"
        if part and rng.random() < 0.5:
            main += self.block(rng.randint(2, 8), 0)
        return main

    def function(self, i, last, share, loops, signatures, bad):
        """A procedure with parameters, results and locals, which may call those before it."""
        rng = self.rng
        formals = [f"a{k}" for k in range(rng.randint(0 if i else 1, 3))]
        results = rng.randint(0 if i else 1, 2)
        inner = [f"l{k}" for k in range(rng.randint(0, 2))]
        self.locals = formals + inner
        body = f"  decl {', '.join(inner)};\n" if inner else ""
        if inner and rng.random() < 0.5:
            values = [rng.choice(("0", "1", self.literal(None))) for _ in inner]
            body += f"  {', '.join(inner)} := {', '.join(values)};\n"
        callees = list(signatures)
        calls = callees and rng.random() < 0.5
        calls = rng.random() < 0.5 and calls
        body += self.block(share, loops, call=(lambda: self.call(rng.choice(callees))) if calls else None)
        body += bad if last else ""
        body += self.results(results, True)
        self.locals = []
        self.procedure(f"{RESULTS[results]} f{i}({', '.join(formals)})", body)
        return f"f{i}", len(formals), results

    def with_parameters(self, bad, breaks):
        rng, count, loops = self.rng, self.f["stmts"], self.f["loops"]
        procedures, signatures = rng.randint(1, 4), []
        share, share_loops = count // (procedures + 1), loops // (procedures + 1)
        for i in range(procedures):
            signatures.append(self.function(i, i == procedures - 1, share, share_loops, signatures, bad))
        left, left_loops = count - procedures * share, loops - procedures * share_loops
        main = breaks + self.block(left, left_loops, call=lambda: self.call(rng.choice(signatures)))
        return main + f"  {self.call(signatures[-1])}\n"

    def recursive(self, bad, breaks):
        """Procedures that call each other."""
        rng, count, loops = self.rng, self.f["stmts"], self.f["loops"]
        procedures = rng.randint(1, 3)
        args = rng.random() < 0.3
        all_of_them = [(f"rec{i}", rng.randint(0, 2) if args else 0, rng.randint(0, 2) if args else 0)
                       for i in range(procedures)]  # fmt: skip
        each = max(1, loops // procedures) if loops else rng.choice((0, 1, 2))
        holder = rng.randrange(procedures)
        for i, (name, formals, results) in enumerate(all_of_them):
            self.locals = [f"a{k}" for k in range(formals)]
            calls = rng.random() < 0.9 or i == 0
            call = (lambda: f"if (*) then {self.call(rng.choice(all_of_them))} fi") if calls else None
            body = self.block(count // procedures, each, call=call) + (bad if i == holder else "")
            body += self.results(results, False)
            head = f"{RESULTS[results]} {name}({', '.join(self.locals)})"
            self.locals = []
            self.procedure(head, body)
        main = breaks + f"  {self.call(all_of_them[0])}\n"
        if (bad and holder) or rng.random() < 0.3:
            main += f"  {self.call(all_of_them[holder])}\n"
        if rng.random() < 0.3:
            main += self.block(rng.randint(1, 6), 0)
        return main

    def dag(self, bad, breaks):
        """Procedures each of which calls those before it, some of them twice."""
        rng = self.rng
        count = rng.randint(3, 8)
        share, loops = self.f["stmts"] // count, self.f["loops"] // count
        for i in range(count):
            body = self.block(share, loops, call=(lambda i=i: f"w{rng.randrange(i)}();") if i else None)
            if i and rng.random() < 0.5:
                body += f"  w{rng.randrange(i)}();\n"
            if i and rng.random() < 0.3:
                body += f"  if ({self.literal(None)}) then w{rng.randrange(i)}(); else {self.assignment()} fi\n"
            self.procedure(f"void w{i}()", body + (bad if i == count // 2 else ""))
        return breaks + f"  w{count - 1}();\n  w{count // 2}();\n"

    def text(self):
        styles = {"main": self.in_main, "callee": self.in_callee, "sites": self.in_callee,
                  "params": self.with_parameters, "recursive": self.recursive, "dag": self.dag}  # fmt: skip
        bad = f"  {self.target()}\n"
        in_main = self.f["where"] == "main"
        start, breaks = self.begin()
        main = start + styles[self.f["place"]]("" if in_main else bad, breaks) + (bad if in_main else "")
        names = list(self.all)
        self.rng.shuffle(names)
        return f"decl {', '.join(names)};\n{''.join(self.procedures)}void main() begin\n{main}end\n"


def odd(seed):
    """The program of a seed; the target is BAD."""
    yield Odd(seed).text()
