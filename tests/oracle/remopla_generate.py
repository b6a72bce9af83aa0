"""Random Remopla programs, small enough for explicit states."""

from random import Random


class Generator:
    def __init__(self, seed, stores=False):
        self.random = Random(f"remopla {seed}")
        self.stores = stores  # many results that do not fit where they go, at the ends of blocks
        self.labels = 0
        self.lines = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    # ---- expressions: `scope` is a list of (name, bits, length), bits 0 for a bool, text for an enum

    def element(self, scope, number):
        found = [v for v in scope if bool(v[1]) == number]
        if not found:
            return None
        name, _, length = self.random.choice(found)
        if not length:
            return name
        return f"{name}[{self.number(scope, 1) if self.chance(0.6) else self.random.randrange(length)}]"

    def number(self, scope, depth):
        if depth <= 0 or self.chance(0.35):
            if self.chance(0.65):
                found = self.element(scope, True)
                if found:
                    return found
            if self.constants and self.chance(0.4):
                return self.pick(*self.constants)
            return str(self.pick(0, 1, 1, 2, 3, 5))
        op = self.pick("+", "+", "-", "-", "*", "/")
        if op == "/" and self.chance(0.5):
            return f"({self.number(scope, depth - 1)} / (0 - {self.pick(1, 2, 3)}))"
        return f"({self.number(scope, depth - 1)} {op} {self.number(scope, depth - 1)})"

    def condition(self, scope, depth):
        kind = self.random.random()
        if depth <= 0 or kind < 0.15:
            return self.element(scope, False) or self.pick("true", "false")
        if kind < 0.55:
            op = self.pick("==", "!=", "<", "<=", ">", ">=")
            return f"{self.number(scope, depth - 1)} {op} {self.number(scope, depth - 1)}"
        if kind < 0.65:
            return f"!({self.condition(scope, depth - 1)})"
        if kind < 0.75:
            counter = f"k{depth}"
            low, high = self.pick((0, 1), (0, 2), (1, 2), (2, 1), ("0 - 1", 1))
            inside = scope + [(counter, 2, 0)]
            return f"({self.pick('A', 'E')} {counter} ({low}, {high}) {self.condition(inside, depth - 1)})"
        op = self.pick("&&", "||", "^^", "->", "<=>", "==")
        if op in ("&&", "||", "->") and self.chance(0.3):
            asked = f"({self.number(scope, 0)} / {self.number(scope, 0)}) <= {self.number(scope, 0)}"
            return f"({self.condition(scope, depth - 1)} {op} {asked})"
        if op == "==":
            return f"({self.condition(scope, depth - 1)}) == ({self.condition(scope, depth - 1)})"
        return f"({self.condition(scope, depth - 1)} {op} {self.condition(scope, depth - 1)})"

    def value(self, scope, bits):
        if self.chance(0.12):
            return "undef"
        depth = self.pick(0, 0, 1) if self.stores else 2
        return self.number(scope, depth) if bits else self.condition(scope, depth)

    # ---- declarations

    def declare(self, names, room):
        """Variables of at most so many bits together, as lines and for scopes."""
        lines, found = [], []
        for name in names:
            if self.enums and self.chance(0.4):
                enum, length = self.pick(*sorted(self.enums)), self.pick(0, 0, 2)
                size = max(1, (self.enums[enum] - 1).bit_length()) * max(length, 1)
                if size > room:
                    continue
                found.append((name, f"enum {enum}", length))
                lines.append(f"enum {enum} {name}" + (f"[{length}]" if length else "") + ";")
            elif self.chance(0.35):
                length = self.pick(0, 0, 2, 3)
                size = max(length, 1)
                if size > room:
                    continue
                found.append((name, 0, length))
                lines.append(f"bool {name}" + (f"[{length}]" if length else "") + ";")
            else:
                bits, length = self.pick(1, 2, 2, 3), self.pick(0, 0, 0, 2, 3)
                size = bits * max(length, 1)
                if size > room:
                    continue
                found.append((name, bits, length))
                lines.append(f"int {name}({bits})" + (f"[{length}]" if length else "") + ";")
            room -= size
        return lines, found

    # ---- statements

    def swap(self, scope):
        """Two elements of an array change places."""
        arrays = [name for name, _, length in scope if length]
        if not arrays:
            return "skip"
        name, i, j = self.random.choice(arrays), self.number(scope, 1), self.number(scope, 1)
        return f"{name}[{i}] = {name}[{j}], {name}[{j}] = {name}[{i}]"

    def simple(self, scope, in_loop):
        kind = self.random.random()
        if self.chance(0.08):
            return self.swap(scope)
        if kind < 0.5:
            targets = []
            for name, bits, length in self.random.sample(scope, min(len(scope), self.pick(1, 1, 1, 2, 2, 3))):
                side = f"{name}[{self.number(scope, 1)}]" if length else name
                targets.append(f"{side} = {self.value(scope, bits)}")
                if length and self.chance(0.5):
                    targets.append(f"{name}[{self.number(scope, 1)}] = {self.value(scope, bits)}")
            return ", ".join(targets) if targets else "skip"
        if kind < 0.62:
            return "skip" if self.chance(0.5) else f"skip ({self.condition(scope, 2)})"
        if kind < 0.84 and self.modules:
            name, formals, result = self.random.choice(self.modules)
            args = ", ".join(self.number(scope, 1) if bits else self.condition(scope, 1)
                             for _, bits, _ in formals)
            call = f"{name}({args})"
            targets = [v for v in scope]
            if result is not None and targets and self.chance(0.8):
                target, _, length = self.random.choice(targets)
                call = f"{target}[{self.number(scope, 1)}] = {call}" if length else f"{target} = {call}"
            return call
        if kind < 0.89 and in_loop:
            return "break"
        if kind < 0.93 and self.here:
            return f"goto {self.random.choice(self.here)}"
        if kind < 0.97:
            if self.result is None:
                return "return"
            return f"return {self.number(scope, 1) if self.result else self.condition(scope, 1)}"
        return "skip"

    def store(self, scope):
        """A call with a result that may not fit: in a narrower number, in an element that may not be there."""
        size = lambda kind: self.enums[kind[5:]] if isinstance(kind, str) else 1 << max(kind, 1)
        pairs = [(m, v) for m in self.modules if m[2] is not None for v in scope if v[2] or size(v[1]) < size(m[2])]
        if not pairs:
            return None
        (name, formals, _), (target, _, length) = self.random.choice(pairs)
        args = ", ".join(self.pick("0", "1") if bits else "true" for _, bits, _ in formals)
        index = f"[{self.number(scope, self.pick(0, 1))}]" if length else ""
        return f"{target}{index} = {name}({args})"

    def end_in_store(self, scope):
        """The last statements of a block: such a call, then nothing, a return or a label."""
        call = self.store(scope)
        if not call:
            return
        self.lines.append((self.label() if self.chance(0.2) else "") + call + ";")
        follows = self.pick("", "", "return", "return", "label")
        if follows == "return":
            self.lines.append("return" + (f" {self.random.randrange(2)}" if self.chance(0.4) and self.result is not None
                                          and not isinstance(self.result, str) else "") + ";")
        elif follows == "label":
            self.lines.append(self.label() + "skip;")

    def label(self):
        self.labels += 1
        self.here.append(f"L{self.labels}")
        return f"L{self.labels}: "

    def block(self, scope, depth, in_loop, most):
        for _ in range(self.random.randint(1, most)):
            label = self.label() if self.chance(0.4) else ""
            if depth and self.chance(0.35):
                word, end = self.pick(("if", "fi"), ("do", "od"))
                self.lines.append(label + word)
                clauses = self.random.randint(1, 3)
                for number in range(clauses):
                    otherwise = number + 1 == clauses and self.chance(0.5)
                    self.lines.append(f":: {'else' if otherwise else self.guard(scope)} ->")
                    if self.chance(0.92):
                        self.block(scope, depth - 1, in_loop or word == "do", 2)
                self.lines.append(end + ";")
            else:
                self.lines.append(f"{label}{self.simple(scope, in_loop)};")
        if self.stores and self.chance(0.3):
            self.end_in_store(scope)

    def guard(self, scope):
        text = self.condition(scope, 2)
        return f"({text})" if "->" in text else text

    # ---- the whole

    def make_enums(self):
        """Most programs have none. Two or four constants leave no bits over, one, three and five do."""
        self.enums, self.constants, lines = {}, [], []
        for number in range(self.pick(0, 0, 0, 1, 1, 2)):
            count = self.pick(1, 2, 3, 3, 3, 4, 5)
            names = [f"C{number}{i}" for i in range(count)]
            self.enums[f"e{number}"] = count
            self.constants += names
            lines.append(f"enum e{number} {{ {', '.join(names)} }};")
        return lines

    def type_text(self, bits):
        return bits if isinstance(bits, str) else f"int({bits})" if bits else "bool"

    def program(self):
        enums = self.make_enums()
        lines, scope = self.declare(["g", "h", "a", "b"], 6)
        self.modules = []
        for number in range(self.random.randint(int(self.stores), 2)):
            _, formals = self.declare(["p", "q"], 3)
            formals = [(n, b, 0) for n, b, _ in formals]
            result = self.pick(None, None, 0, 1, 2, *(f"enum {e}" for e in self.enums))
            if self.stores and self.chance(0.6):
                result = self.pick(2, 3)
            self.modules.append((f"f{number}", formals, result))
        todo = self.modules + [("main", [], None)]
        if self.chance(0.2):
            self.modules = todo
        for number, (name, formals, result) in enumerate(todo):
            if self.stores and self.chance(0.9):
                self.modules = todo[:number]
            self.here, self.result = [], result
            local_lines, local = self.declare(["x", "y", "g"], 4 if formals else 5)
            kind = "void" if result is None else self.type_text(result)
            texts = [f"{b} {n}" if isinstance(b, str) else f"int {n}({b})" if b else f"bool {n}"
                     for n, b, _ in formals]
            self.lines.append(f"module {kind} {name}({', '.join(texts)}) {{")
            self.lines += local_lines
            hidden = {v[0] for v in formals + local}
            seen = [v for v in scope if v[0] not in hidden] + formals + local
            if not self.stores or self.chance(0.6 if name == "main" else 0.3):
                self.block(seen, 2, False, 2 if self.stores else 5)
            if self.stores and self.chance(0.8):
                self.end_in_store(seen)
            if result is not None and self.chance(0.8):
                self.lines.append(self.pick("return;", "return;", "return 1;") if self.stores else "return 1;")
            self.lines.append("}")
        return "\n".join(enums + lines + self.lines) + "\n"


def generate(seed, stores=False):
    return Generator(seed, stores).program()
