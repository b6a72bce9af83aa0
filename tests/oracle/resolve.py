"""Name resolution: what language.md section 10 says must be rejected beyond syntax."""

from boolprog import statements
from lexer import SourceError


def fail(line, message):
    raise SourceError(line, 1, message)


def resolve(program):
    """Fill in locals and labels of every procedure and check all uses of names."""
    for proc in program.procs.values():
        collect_locals(proc)
        collect_labels(proc)
    for proc in program.procs.values():
        for stmt in statements(proc.body):
            check_statement(program, proc, stmt)
    if program.entry not in program.procs:
        fail(1, f"there is no procedure '{program.entry}'")
    program.concurrent = concurrency(program)


def collect_locals(proc):
    seen = set()
    for name in proc.formals:
        if name in seen:
            fail(proc.line, f"formal '{name}' is declared twice")
        seen.add(name)
    for stmt in statements(proc.body):
        if stmt.kind == "decl":
            if stmt.names[0] in seen:
                fail(stmt.line, f"'{stmt.names[0]}' is declared twice")
            seen.add(stmt.names[0])
            proc.locals.append(stmt.names[0])


def collect_labels(proc):
    for stmt in statements(proc.body):
        for label in stmt.labels:
            places = proc.labels.setdefault(label, [])
            if stmt not in places:
                places.append(stmt)


def check_statement(program, proc, stmt):
    if stmt.kind == "goto":
        for label in stmt.names:
            if label not in proc.labels:
                fail(stmt.line, f"no label '{label}' in '{proc.name}'")
        return
    if stmt.kind == "call":
        check_call(program, stmt)
    if stmt.kind == "return" and stmt.exprs and len(stmt.exprs) != proc.results:
        fail(stmt.line, f"'{proc.name}' returns {proc.results} values")
    if stmt.kind in ("assign", "call", "dead"):
        for name in stmt.names or ():
            if name != "_" or stmt.kind == "dead":
                check_variable(program, proc, name, stmt.line)
    for arm in stmt.arms:
        check_expr(program, proc, arm.cond, arm.line, False)
    for expr in stmt.exprs:
        check_expr(program, proc, expr, stmt.line, stmt.kind == "constrain")
    if stmt.relation is not None:
        check_expr(program, proc, stmt.relation, stmt.line, True)


def check_call(program, stmt):
    callee = program.procs.get(stmt.callee)
    if callee is None:
        fail(stmt.line, f"there is no procedure '{stmt.callee}'")
    if len(stmt.exprs) != len(callee.formals):
        fail(stmt.line, f"'{callee.name}' takes {len(callee.formals)} arguments")
    if stmt.names is not None and len(stmt.names) != callee.results:
        fail(stmt.line, f"'{callee.name}' returns {callee.results} values")


def check_expr(program, proc, expr, line, primes):
    for leaf in leaves(expr):
        if leaf[0] == "prime" and not primes:
            fail(line, f"'{leaf[1]} (a value after the statement) outside constrain")
        if leaf[0] in ("var", "prime"):
            check_variable(program, proc, leaf[1], line)


def leaves(expr):
    """The variables, constants and choices an expression is made of."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if node[0] in ("var", "prime", "const", "star"):
            yield node
        else:
            stack.extend(node[1:])


def check_variable(program, proc, name, line):
    if name in proc.formals or name in proc.locals or name in program.globals:
        return
    if is_mixed(program, proc, name):
        return
    if program.options.undeclared == "local":
        proc.locals.append(name)
    else:
        fail(line, f"'{name}' is not declared")


def is_mixed(program, proc, name):
    """Is name a reference `x$` to the copies of x in other threads?"""
    base = name[:-1]
    return name.endswith("$") and (base in proc.frame() or base in program.globals)


def concurrency(program):
    """Why the program is a concurrent one, or an empty string (language.md section 8)."""
    called = set()
    for proc in program.procs.values():
        known = set(proc.frame()) | set(program.globals)
        for stmt in statements(proc.body):
            if stmt.kind == "thread":
                return stmt.names[0]
            if any(label.startswith("ASYNC_") for label in stmt.labels):
                return "a label ASYNC_"
            if any(leaf[0] == "var" and leaf[1] not in known for leaf in used_leaves(stmt)):
                return "a reference to other threads"
            if stmt.kind == "call":
                called.add(stmt.callee)
    return getafix_threads(program, called)


def used_leaves(stmt):
    exprs = list(stmt.exprs) + [arm.cond for arm in stmt.arms]
    if stmt.relation is not None:
        exprs.append(stmt.relation)
    for expr in exprs:
        yield from leaves(expr)


def getafix_threads(program, called):
    """Getafix's threads: init up to endinit, and uncalled procedures thread*."""
    threads = [name for name in program.procs
               if name.lower().startswith("thread") and name not in called]
    init = program.procs.get("init")
    if init and "endinit" in init.labels and threads and not program.options.entry:
        return "procedures init and thread*"
    return ""
