"""Reader for boolean programs: syntax tree and parser (language.md section 10).

Expressions are tuples: ("const", 0 or 1), ("star",), ("var", name), ("prime", name), ("not", e),
("and" | "or" | "xor" | "eq" | "ne" | "imp" | "schoose", a, b), ("cond", c, a, b).
"""

import sys
from dataclasses import dataclass, field

from lexer import CONSTANTS, SourceError, tokenize

sys.setrecursionlimit(1_000_000)

THREAD_WORDS = frozenset("start_thread end_thread atomic_begin atomic_end sync".split())
CLOSING = frozenset("end fi od else elsif".split())


@dataclass
class Options:
    """The reading switches of language.md section 9."""

    precedence: str = "getafix"
    dead: str = "havoc"
    fall_off: str = "any"
    undeclared: str = "error"
    entry: str = ""


@dataclass
class Arm:
    """A condition with the block it guards; line is the line of if, elsif or while."""

    line: int
    cond: tuple
    block: list


@dataclass(eq=False)
class Stmt:
    """A statement.

    kind        uses
    skip
    print       exprs
    goto        names (labels)
    return      exprs
    assert assume constrain enforce abortif    exprs[0]
    dead        names
    decl        names[0], exprs (its initialiser, or none); one statement an item
    assign      names, exprs, relation (the constrain clause or None)
    call        names (targets, None when results are dropped), callee, exprs
    if, while   arms, otherwise (the else block; [] if there is none)
    thread      names[0] (a word of concurrent programs)
    """

    kind: str
    line: int
    labels: tuple = ()
    names: tuple = ()
    exprs: tuple = ()
    relation: tuple = None
    callee: str = ""
    arms: list = field(default_factory=list)
    otherwise: list = field(default_factory=list)

    def blocks(self):
        """The statement lists directly inside this statement."""
        return [arm.block for arm in self.arms] + [self.otherwise]


@dataclass
class Proc:
    """A procedure; locals and labels are filled in by name resolution."""

    name: str
    line: int
    results: int
    formals: list
    body: list
    end_line: int = 0
    locals: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)

    def frame(self):
        """Names of the variables of one activation, in the order of valuations."""
        return self.formals + self.locals


@dataclass
class Program:
    """A whole program; globals maps each name to its initialiser or None."""

    globals: dict
    procs: dict
    entry: str = "main"
    options: Options = field(default_factory=Options)
    concurrent: str = ""


def statements(block):
    """All statements of a block and of the blocks inside it, in text order."""
    for stmt in block:
        yield stmt
        for inner in stmt.blocks():
            yield from statements(inner)


class Parser:
    """Recursive descent over the token list; loops over statements, recurses over nesting only."""

    def __init__(self, text, options):
        self.tokens = tokenize(text)
        self.at = 0
        self.options = options

    # Tokens

    @property
    def token(self):
        return self.tokens[self.at]

    def peek(self, distance=1):
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)].text

    def fail(self, message, token=None):
        token = token or self.token
        raise SourceError(token.line, token.column, message)

    def take(self):
        token = self.token
        self.at += 1
        return token

    def accept(self, text):
        if self.token.text == text and self.token.kind != "eof":
            return self.take()
        return None

    def expect(self, text):
        return self.accept(text) or self.fail(f"expected '{text}' before '{self.token.text}'")

    def name(self, what):
        if self.token.kind != "id":
            self.fail(f"expected {what} before '{self.token.text}'")
        return self.take().text

    def declared_name(self):
        if self.token.text in CONSTANTS:
            self.fail(f"'{self.token.text}' is a constant")
        return self.name("a variable name")

    def listed(self, item):
        items = [item()]
        while self.accept(","):
            items.append(item())
        return items

    # Programs

    def program(self):
        variables, procs = {}, {}
        while self.token.kind != "eof":
            if self.accept(";"):
                continue
            if self.token.text == "decl":
                self.global_decl(variables)
            else:
                token = self.token
                proc = self.proc()
                if proc.name in procs:
                    self.fail(f"procedure '{proc.name}' is defined twice", token)
                procs[proc.name] = proc
        return Program(variables, procs, self.options.entry or "main", self.options)

    def global_decl(self, variables):
        token = self.token
        for name, init in self.decl_items():
            if name in variables:
                self.fail(f"global '{name}' is declared twice", token)
            if init is not None and init[0] not in ("const", "star"):
                self.fail("a global can only be initialised with a constant or *", token)
            variables[name] = init
        self.expect(";")

    def decl_items(self):
        self.expect("decl")
        if self.token.text == "thread_local" and self.peek() not in (",", ";", ":="):
            self.take()
        return self.listed(self.decl_item)

    def decl_item(self):
        name = self.declared_name()
        return name, (self.expr() if self.accept(":=") else None)

    def proc(self):
        if self.token.text == "dfs" and self.peek() != "(":
            self.take()
        results = self.result_count()
        line = self.token.line
        name = self.name("a declaration or a procedure")
        self.expect("(")
        formals = [] if self.token.text == ")" else self.listed(self.declared_name)
        self.expect(")")
        self.expect("begin")
        body = self.block(("end",))
        return Proc(name, line, results, formals, body, self.expect("end").line)

    def result_count(self):
        if self.accept("void") or not self.accept("bool"):
            return 0
        if not self.accept("<"):
            return 1
        if self.token.kind != "num":
            self.fail("expected a number of results")
        count = int(self.take().text)
        self.expect(">")
        return count

    # Statements

    def block(self, closers):
        block = []
        while True:
            if self.accept(";"):
                continue
            if self.token.text in closers and self.token.kind == "word":
                return block
            stmts = self.stmt()
            block += stmts
            structured = stmts[-1].kind in ("if", "while")
            if not structured and self.token.text not in CLOSING and self.token.text != ";":
                self.fail(f"expected ';' before '{self.token.text}'")

    def stmt(self):
        labels = []
        while self.token.kind in ("id", "num") and self.peek() == ":":
            labels.append(self.take().text)
            self.take()
        line = self.token.line
        if labels and (self.token.text in CLOSING or self.token.text in ("decl", "enforce")):
            skip = Stmt("skip", line, tuple(labels))
            return [skip] if self.token.text in CLOSING else [skip] + self.core()
        stmts = self.core()
        stmts[0].labels = tuple(labels)
        return stmts

    def core(self):
        """One statement after its labels; only a decl of several items gives several."""
        token = self.token
        if token.text == "decl":
            return [Stmt("decl", token.line, names=(name,), exprs=() if init is None else (init,))
                    for name, init in self.decl_items()]
        if token.kind == "word":
            parse = getattr(self, "stmt_" + token.text, None)
            if parse is None or token.text not in self.STATEMENT_WORDS:
                self.fail(f"unexpected '{token.text}'")
            return [parse(self.take())]
        if token.text in ("dead", "abortif"):
            return [getattr(self, "stmt_" + token.text)(self.take())]
        if token.text in THREAD_WORDS:
            return [self.thread(self.take())]
        if token.kind == "id":
            return [self.named(token)]
        return self.fail(f"expected a statement before '{token.text}'")

    STATEMENT_WORDS = frozenset(
        "skip print goto return assert assume constrain enforce if while".split())

    def stmt_skip(self, token):
        return Stmt("skip", token.line)

    def stmt_print(self, token):
        self.expect("(")
        exprs = self.exprs()
        self.expect(")")
        return Stmt("print", token.line, exprs=exprs)

    def label(self):
        return self.take().text if self.token.kind == "num" else self.name("a label")

    def stmt_goto(self, token):
        return Stmt("goto", token.line, names=tuple(self.listed(self.label)))

    def stmt_return(self, token):
        bare = self.token.text == ";" or self.token.text in CLOSING
        return Stmt("return", token.line, exprs=() if bare else self.exprs())

    def one_expr(self, token):
        return Stmt(token.text, token.line, exprs=(self.expr(),))

    stmt_assert = stmt_assume = stmt_constrain = stmt_enforce = stmt_abortif = one_expr

    def stmt_dead(self, token):
        return Stmt("dead", token.line, names=tuple(self.listed(lambda: self.name("a variable"))))

    def stmt_if(self, token):
        stmt = Stmt("if", token.line)
        stmt.arms.append(self.arm(token.line, "then", ("elsif", "else", "fi")))
        while self.token.text == "elsif":
            line = self.take().line
            stmt.arms.append(self.arm(line, "then", ("elsif", "else", "fi")))
        if self.accept("else"):
            stmt.otherwise = self.block(("fi",))
        self.expect("fi")
        return stmt

    def stmt_while(self, token):
        stmt = Stmt("while", token.line, arms=[self.arm(token.line, "do", ("od",))])
        self.expect("od")
        return stmt

    def arm(self, line, opener, closers):
        cond = self.expr()
        self.expect(opener)
        return Arm(line, cond, self.block(closers))

    def thread(self, token):
        stmt = Stmt("thread", token.line, names=(token.text,))
        if token.text == "start_thread":
            stmt.arms = [Arm(token.line, ("star",), self.core())]
        elif token.text == "sync":
            self.name("a variable")
        return stmt

    def named(self, token):
        """A call or an assignment, both begin with a name."""
        if self.peek() == "(":
            return self.call(token, None)
        targets = tuple(self.listed(lambda: self.name("a variable")))
        self.expect(":=")
        if self.token.kind == "id" and self.peek() == "(":
            return self.call(token, targets)
        exprs = self.exprs()
        if len(exprs) != len(targets):
            self.fail(f"{len(targets)} targets but {len(exprs)} values", token)
        relation = self.expr() if self.accept("constrain") else None
        return Stmt("assign", token.line, names=targets, exprs=exprs, relation=relation)

    def call(self, token, targets):
        callee = self.take().text
        self.expect("(")
        args = () if self.token.text == ")" else self.exprs()
        self.expect(")")
        return Stmt("call", token.line, names=targets, callee=callee, exprs=args)

    # Expressions

    LEVELS = {
        "getafix": (("left", {"=>": "imp"}), ("left", {"|": "or", "||": "or"}),
                    ("left", {"^": "xor"}), ("left", {"&": "and", "&&": "and"}),
                    ("left", {"=": "eq", "!=": "ne"})),
        "satabs": (("right", {"=>": "imp", "=": "eq", "!=": "ne"}), ("left", {"^": "xor"}),
                   ("left", {"|": "or", "||": "or"}), ("left", {"&": "and", "&&": "and"})),
    }

    def exprs(self):
        return tuple(self.listed(self.expr))

    def expr(self):
        cond = self.binary(0)
        if not self.accept("?"):
            return cond
        then = self.expr()
        self.expect(":")
        return ("cond", cond, then, self.expr())

    def binary(self, level):
        levels = self.LEVELS[self.options.precedence]
        if level == len(levels):
            return self.unary()
        side, operators = levels[level]
        operands, used = [self.binary(level + 1)], []
        while self.token.kind == "op" and self.token.text in operators:
            used.append(operators[self.take().text])
            operands.append(self.binary(level + 1))
        return self.fold(side, operands, used)

    @staticmethod
    def fold(side, operands, operators):
        if side == "right":
            result = operands.pop()
            while operators:
                result = (operators.pop(), operands.pop(), result)
            return result
        result = operands[0]
        for operator, operand in zip(operators, operands[1:]):
            result = (operator, result, operand)
        return result

    def unary(self):
        negations = 0
        while self.accept("!") or self.accept("~"):
            negations += 1
        result = self.primary()
        for _ in range(negations):
            result = ("not", result)
        return result

    def primary(self):
        token = self.take()
        if token.text in CONSTANTS:
            return ("const", CONSTANTS[token.text])
        if token.kind == "id":
            if self.token.text == "(":
                self.fail("a call cannot be part of an expression", token)
            return ("var", token.text)
        if token.kind == "op" and token.text in "*?":
            return ("star",)
        if token.text == "'":
            return ("prime", self.name("a variable"))
        if token.text == "(":
            inner = self.expr()
            self.expect(")")
            return inner
        if token.text == "schoose":
            self.expect("[")
            first = self.expr()
            self.expect(",")
            second = self.expr()
            self.expect("]")
            return ("schoose", first, second)
        return self.fail(f"expected an expression before '{token.text}'", token)


def parse(text, options=None):
    """The resolved program of text; raises SourceError if it must be rejected."""
    from resolve import resolve
    program = Parser(text, options or Options()).program()
    resolve(program)
    return program


def parse_expr(text, precedence="getafix"):
    """An expression alone, as --when and --init take it."""
    parser = Parser(text, Options(precedence=precedence))
    result = parser.expr()
    if parser.token.kind != "eof":
        parser.fail(f"unexpected '{parser.token.text}' after the expression")
    return result
