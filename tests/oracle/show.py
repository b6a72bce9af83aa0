"""Writes a syntax tree back as text, one statement a line, plainly or in varied spellings."""

OPERATORS = {"imp": ("=>",), "or": ("|", "||"), "xor": ("^",), "and": ("&", "&&"),
             "eq": ("=",), "ne": ("!=",)}


class Style:
    """How to spell things; with a random source all spellings are used, without one the first.

    loose is the probability that needed parentheses are left out, which gives another program.
    """

    def __init__(self, random=None, loose=0):
        self.random = random
        self.loose = loose

    def pick(self, *spellings):
        return self.random.choice(spellings) if self.random else spellings[0]

    def chance(self, probability):
        return self.random is not None and self.random.random() < probability


def show_expr(expr, style):
    """Text of an expression, parenthesised wherever an operator is an operand."""
    kind = expr[0]
    if kind == "const":
        return style.pick(*(("1", "T", "true") if expr[1] else ("0", "F", "false")))
    if kind == "star":
        return style.pick("*", "?")
    if kind in ("var", "prime"):
        return "'" * (kind == "prime") + expr[1]
    if kind == "schoose":
        return f"schoose[{show_expr(expr[1], style)}, {show_expr(expr[2], style)}]"
    if kind == "not":
        return style.pick("!", "~") + show_operand(expr[1], style)
    if kind == "cond":
        return " ".join((show_operand(expr[1], style), "?", show_operand(expr[2], style), ":",
                         show_operand(expr[3], style)))
    sign = style.pick(*OPERATORS[kind])
    return f"{show_left(expr[1], kind, style)} {sign} {show_operand(expr[2], style)}"


def show_operand(expr, style):
    text = show_expr(expr, style)
    closed = expr[0] in ("const", "star", "var", "prime", "schoose", "not")
    return text if closed or style.chance(style.loose) else f"({text})"


def show_left(expr, kind, style):
    """Left operands of the same associative operator sometimes go without parentheses."""
    if kind in ("and", "or", "xor") and expr[0] == kind and style.chance(0.5):
        return show_expr(expr, style)
    return show_operand(expr, style)


def show_cond(expr, style):
    text = show_expr(expr, style)
    return text if style.chance(0.3) else f"({text})"


class Printer:
    """Collects the lines of a program."""

    def __init__(self, style):
        self.style = style
        self.lines = []
        self.indent = 0
        self.open_label = ""

    def line(self, text):
        comment = self.style.pick(" //", " /* x := 1; */") if self.style.chance(0.03) else ""
        self.lines.append("  " * self.indent + self.open_label + text + comment)
        self.open_label = ""

    def program(self, program):
        for name, init in program.globals.items():
            self.line(f"decl {self.item(name, init)};")
        for proc in program.procs.values():
            self.proc(proc)
        return "\n".join(self.lines) + "\n"

    def item(self, name, init):
        return name if init is None else f"{name} := {show_expr(init, self.style)}"

    def proc(self, proc):
        types = {0: ("void ", "", "dfs void "), 1: ("bool ", "bool<1> ", "dfs bool ")}
        head = self.style.pick(*types.get(proc.results, (f"bool<{proc.results}> ",)))
        self.line(f"{head}{proc.name}({', '.join(proc.formals)})")
        self.line("begin")
        self.block(proc.body, "end")

    def block(self, block, closer):
        """The statements, then the closing word; it may take the labels of a final skip."""
        self.indent += 1
        for index, stmt in enumerate(block):
            last = index + 1 == len(block)
            ahead = closer if last else block[index + 1].kind
            fits = last or (ahead in ("decl", "enforce") and not block[index + 1].labels)
            if stmt.kind == "skip" and stmt.labels and fits and self.style.chance(0.5):
                self.open_label += labels(stmt)
            else:
                self.statement(stmt, last)
        self.indent -= 1
        self.line(closer)

    def statement(self, stmt, last):
        self.open_label += labels(stmt)
        if stmt.kind == "if":
            self.if_statement(stmt)
        elif stmt.kind == "while":
            self.line(f"while {show_cond(stmt.arms[0].cond, self.style)} do")
            self.block(stmt.arms[0].block, "od" + self.style.pick("", ";"))
        else:
            end = "" if last and self.style.chance(0.3) else self.style.pick(";", ";", ";;")
            self.line(self.simple(stmt) + end)

    def if_statement(self, stmt):
        fi = "fi" + self.style.pick("", ";")
        self.line(f"if {show_cond(stmt.arms[0].cond, self.style)} then")
        for arm, following in zip(stmt.arms, stmt.arms[1:] + [None]):
            if following:
                closer = f"elsif {show_cond(following.cond, self.style)} then"
            else:
                closer = "else" if stmt.otherwise else fi
            self.block(arm.block, closer)
        if stmt.otherwise:
            self.block(stmt.otherwise, fi)

    def simple(self, stmt):
        exprs = ", ".join(show_expr(expr, self.style) for expr in stmt.exprs)
        if stmt.kind == "decl":
            return "decl " + self.item(stmt.names[0], stmt.exprs[0] if stmt.exprs else None)
        if stmt.kind == "call":
            targets = "" if stmt.names is None else ", ".join(stmt.names) + " := "
            return f"{targets}{stmt.callee}({exprs})"
        if stmt.kind == "assign":
            relation = "" if stmt.relation is None \
                else f" constrain {show_cond(stmt.relation, self.style)}"
            return f"{', '.join(stmt.names)} := {exprs}{relation}"
        if stmt.kind in ("goto", "dead"):
            return f"{stmt.kind} {', '.join(stmt.names)}"
        if stmt.kind in ("skip", "return"):
            return f"{stmt.kind} {exprs}".rstrip()
        return f"{stmt.kind}({exprs})"


def labels(stmt):
    return "".join(f"{label}: " for label in stmt.labels)


def show(program, random=None, loose=0):
    """The program as text; random varies the spelling, and loose also lets the tree change."""
    return Printer(Style(random, loose)).program(program)


def shape(program):
    """A value that is equal for programs that differ in layout and line numbers only."""
    return (list(program.globals.items()),
            [(proc.name, proc.results, proc.formals, block_shape(proc.body))
             for proc in program.procs.values()])


def unprimed(expr):
    """An expression of a constrain statement: primes mean nothing there and are not printed."""
    if expr[0] == "prime":
        return ("var", expr[1])
    return (expr[0], *(unprimed(part) if isinstance(part, tuple) else part for part in expr[1:]))


def block_shape(block):
    return [(stmt.kind, stmt.labels, stmt.names,
             [unprimed(expr) for expr in stmt.exprs] if stmt.kind == "constrain" else stmt.exprs,
             stmt.relation, stmt.callee,
             [(arm.cond, block_shape(arm.block)) for arm in stmt.arms],
             block_shape(stmt.otherwise)) for stmt in block]
