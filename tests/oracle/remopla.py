"""Remopla, read and checked on explicit states: Python's own integers, no bits, no decision diagrams.

It shares nothing with libbp: own scanner, own parser by recursive descent, own meaning of steps.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"\s+|(?:#|//|%)[^\n]*|(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)"
    r"|(?P<op><=>|->|::|\|\||&&|\^\^|==|!=|<=|>=|[;,:=()\[\]{}!<>+\-*/])")
WORDS = {"bool", "break", "define", "do", "else", "enum", "false", "fi", "goto", "if", "init", "int", "module",
         "od", "return", "skip", "true", "undef", "void"}
LEVELS = [("<=>",), ("->",), ("||",), ("^^",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"),
          ("*", "/")]


class Undefined(Exception):
    """An index outside its array, a division by zero, a value that does not fit."""


@dataclass
class Var:
    name: str
    bits: int  # 1 for a bool
    length: int  # 0: no array
    number: bool
    constants: tuple = ()  # of an enum: their names

    @property
    def count(self):
        return len(self.constants) or 1 << self.bits


@dataclass
class Stmt:
    kind: str
    labels: tuple
    parts: tuple = ()
    line: int = 0
    clauses: list = field(default_factory=list)  # [(guard or None, [Stmt])]
    after: object = None  # where control goes behind it
    loop: object = None  # of a break: its do


@dataclass
class Module:
    name: str
    result: object  # None, or a Var
    formals: list
    locals: list
    body: list
    labels: dict = field(default_factory=dict)


class Parser:
    def __init__(self, text):
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"byte {at}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group(), 1 + text.count("\n", 0, at)))
            at = match.end()
        self.tokens.append(("end", "", 0))
        self.at = 0
        self.defines, self.globals, self.modules, self.entry = {}, [], {}, "main"
        self.enums = {}
        self.loops = []

    # ---- tokens

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, text=None):
        kind, token, _ = self.tokens[self.at]
        if text is not None and token != text:
            raise SyntaxError(f"{text} wanted, {token} found")
        self.at += 1
        return token

    def maybe(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def name_ahead(self, ahead=0):
        kind, token, _ = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return kind == "name" and token not in WORDS

    # ---- expressions: ("op", operands)

    def expr(self, guard=False, level=0):
        if level == len(LEVELS):
            return self.unary(guard)
        left = self.expr(guard, level + 1)
        while self.peek() in LEVELS[level] and not (guard and self.peek() == "->"):
            op = self.take()
            left = (op, left, self.expr(guard, level if op == "->" else level + 1))
        return left

    def unary(self, guard):
        if self.maybe("!"):
            return ("!", self.unary(guard))
        if self.peek() in ("A", "E") and self.name_ahead(1):
            which, counter = self.take(), self.take()
            self.take("(")
            low = self.expr()
            self.take(",")
            high = self.expr()
            self.take(")")
            return (which, counter, low, high, self.expr(guard))
        if self.maybe("("):
            inside = self.expr()
            self.take(")")
            return inside
        kind, token, _ = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return ("number", int(token))
        if token in ("true", "false"):
            return ("number", int(token == "true"))
        if kind != "name" or token in WORDS:
            raise SyntaxError(token)
        if self.maybe("["):
            index = self.expr()
            self.take("]")
            return ("element", token, index)
        return ("name", token)

    def constant(self):
        return Scope(self, {}, {}).value(self.expr())

    # ---- declarations

    def type(self):
        kind = self.take()
        return self.enums[self.take()] if kind == "enum" else kind

    def enum(self):
        self.take("enum")
        name, constants = self.take(), []
        self.take("{")
        while not self.maybe("}"):
            self.defines[self.peek()] = len(constants)
            constants.append(self.take())
            self.maybe(",")
        self.take(";")
        self.enums[name] = tuple(constants)

    def variable(self, kind):
        name, bits, length = self.take(), 1, 0
        constants = kind if isinstance(kind, tuple) else ()
        if kind == "int":
            if self.maybe("("):
                bits = self.constant()
                self.take(")")
            else:
                bits = self.defines["DEFAULT_INT_BITS"]
        if self.maybe("["):
            length = self.constant()
            self.take("]")
        return Var(name, bits, length, kind != "bool", constants)

    def line(self):
        kind = self.type()
        found = [self.variable(kind)]
        while self.maybe(","):
            found.append(self.variable(kind))
        self.take(";")
        return found

    def module(self):
        self.take("module")
        kind, result = self.type(), None
        if isinstance(kind, tuple):
            result = Var("", 1, 0, True, kind)
        elif kind == "int":
            bits = self.defines.get("DEFAULT_INT_BITS")
            if self.maybe("("):
                bits = self.constant()
                self.take(")")
            result = Var("", bits, 0, True)
        elif kind == "bool":
            result = Var("", 1, 0, False)
        module = Module(self.take(), result, [], [], [])
        self.take("(")
        while not self.maybe(")"):
            module.formals.append(self.variable(self.type()))
            self.maybe(",")
        if self.maybe(";"):
            return
        self.take("{")
        while self.peek() in ("int", "bool", "enum"):
            module.locals += self.line()
        module.body = self.block(module, ("}",))
        self.take("}")
        link(module.body, None)
        self.modules[module.name] = module

    def program(self):
        while self.tokens[self.at][0] != "end":
            word = self.peek()
            if word == "define":
                self.take()
                name = self.take()
                self.defines[name] = self.constant()
            elif word == "init":
                self.take()
                self.entry = self.take()
                self.take(";")
            elif word == "enum" and self.peek(2) == "{":
                self.enum()
            elif word == "module":
                self.module()
            else:
                self.globals += self.line()
        return self

    # ---- statements

    def block(self, module, ends):
        found = []
        while self.peek() not in ends:
            found.append(self.statement(module))
            self.maybe(";")
        return found

    def statement(self, module):
        labels = []
        while self.name_ahead() and self.peek(1) == ":":
            labels.append(self.take())
            self.take(":")
        line = self.tokens[self.at][2]
        stmt = self.plain(module)
        stmt.labels, stmt.line = tuple(labels), line
        for label in labels:
            module.labels[label] = stmt
        return stmt

    def plain(self, module):
        if self.peek() in ("if", "do"):
            return self.choice(module)
        if self.maybe("skip"):
            condition = None
            if self.maybe("("):
                condition = self.expr()
                self.take(")")
            return Stmt("skip", (), (condition,))
        if self.maybe("goto"):
            return Stmt("goto", (), (module, self.take()))
        if self.maybe("return"):
            return Stmt("return", (), (None if self.peek() in (";", "}", "fi", "od", "::") else self.expr(),))
        if self.maybe("break"):
            return Stmt("break", (), (), loop=self.loops[-1])
        if self.peek(1) == "(":
            return self.call(None)
        return self.assign()

    def choice(self, module):
        word = self.take()
        stmt = Stmt(word, ())
        if word == "do":
            self.loops.append(stmt)
        end = "fi" if word == "if" else "od"
        while not self.maybe(end):
            self.take("::")
            guard = None if self.maybe("else") else self.expr(guard=True)
            self.take("->")
            stmt.clauses.append((guard, self.block(module, ("::", end))))
        if word == "do":
            self.loops.pop()
        return stmt

    def target(self):
        name, index = self.take(), None
        if self.maybe("["):
            index = self.expr()
            self.take("]")
        self.take("=")
        return name, index

    def assign(self):
        sides = []
        while True:
            name, index = self.target()
            if not sides and self.name_ahead() and self.peek(1) == "(":
                return self.call((name, index))
            value = None if self.maybe("undef") else self.expr()
            sides.append((name, index, value))
            if not self.maybe(","):
                return Stmt("assign", (), tuple(sides))

    def call(self, target):
        name, args = self.take(), []
        self.take("(")
        while not self.maybe(")"):
            args.append(self.expr())
            self.maybe(",")
        return Stmt("call", (), (name, tuple(args), target))


def link(body, after):
    """Tells each statement where control goes behind it; `after` None is the end of the module."""
    for number, stmt in enumerate(body):
        stmt.after = body[number + 1] if number + 1 < len(body) else after
        for _, inside in stmt.clauses:
            link(inside, stmt if stmt.kind == "do" else stmt.after)


class Scope:
    """Values of expressions: states are dicts from names to numbers or tuples of them."""

    def __init__(self, program, frame, state):
        self.program, self.frame, self.state, self.counters = program, frame, state, {}

    def get(self, name):
        if name in self.counters:
            return self.counters[name]
        if name in self.frame:
            return self.frame[name]
        if name in self.state:
            return self.state[name]
        return self.program.defines[name]

    def value(self, e):
        op = e[0]
        if op == "number":
            return e[1]
        if op == "name":
            return self.get(e[1])
        if op == "element":
            at, array = self.value(e[2]), self.get(e[1])
            if not 0 <= at < len(array):
                raise Undefined
            return array[at]
        if op == "!":
            return int(not self.value(e[1]))
        if op in ("A", "E"):
            return self.each(e)
        left = self.value(e[1])
        if op in ("&&", "||", "->") and bool(left) == (op == "||"):
            return int(op != "&&")
        right = self.value(e[2])
        if op in ("&&", "||", "->"):
            return int(bool(right))
        if op == "/":
            if right == 0:
                raise Undefined
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "==": lambda: int(left == right), "!=": lambda: int(left != right),
                "<": lambda: int(left < right), "<=": lambda: int(left <= right),
                ">": lambda: int(left > right), ">=": lambda: int(left >= right),
                "<=>": lambda: int(bool(left) == bool(right)),
                "^^": lambda: int(bool(left) != bool(right))}[op]()

    def each(self, e):
        which, counter, low, high, condition = e
        outer = self.counters.get(counter)
        try:
            for self.counters[counter] in range(self.value(low), self.value(high) + 1):
                if bool(self.value(condition)) == (which == "E"):
                    return int(which == "E")
        finally:
            self.counters.pop(counter, None)
            if outer is not None:
                self.counters[counter] = outer
        return int(which == "A")
