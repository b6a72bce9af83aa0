"""Runs `bp` on one program as a plan says and compares every answer with the oracle."""

import atexit
import json
import os
import select
import subprocess
import tempfile
from dataclasses import dataclass, field

import explicit
import traces
from boolprog import Options, parse, parse_expr
from lexer import SourceError
from resolve import leaves
from show import shape

TIMEOUT = 60
TARGETS = 12


class Mismatch(Exception):
    """bp and the oracle disagree; category stays the same while a program is minimized."""

    def __init__(self, category, message):
        super().__init__(f"{category}: {message}")
        self.category = category


@dataclass
class Round:
    """One way to ask: command is reach, check, text or fmt; no targets means all of them."""

    command: str
    flags: tuple = ()
    targets: tuple = ()
    when: str = ""

    @property
    def shortest(self):
        return "--shortest" in self.flags

    @property
    def any(self):
        """Whether a trace may be one that need not be a shortest: asked for, or of a target that was found backwards."""
        off = [name for flag in self.flags if flag.startswith("--engine-off=") for name in flag[13:].split(",")]
        return "--any-trace" in self.flags or ("execute" not in off and not self.shortest)

    @property
    def expand(self):
        for flag in self.flags:
            if flag.startswith("--expand"):
                return int(flag[9:]) if "=" in flag else None
        return 0


@dataclass
class Plan:
    """How a program is read and everything that is asked about it."""

    options: Options = field(default_factory=Options)
    init: str = ""
    rounds: list = field(default_factory=list)

    def switches(self):
        """The reading options as bp takes them; defaults are left out."""
        result, default = [], Options()
        for name, value in vars(self.options).items():
            if value != getattr(default, name):
                result += ["--" + name.replace("_", "-"), value]
        return result + (["--init", self.init] if self.init else [])


class Many:
    """A bp_many that is kept running, see many.c."""

    running = {}

    def __init__(self, bp):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([bp], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, env={**os.environ, "NO_COLOR": "1"})
        Many.running[bp] = self

    @classmethod
    def of(cls, bp):
        return cls.running.get(bp) or cls(bp)

    @classmethod
    def stop(cls, bp):
        """Ends it; what it wrote to standard error."""
        many = cls.running.pop(bp)
        many.process.kill()
        many.process.communicate()
        many.log.seek(0)
        return many.log.read()

    def run(self, bp, arguments):
        """The finished request. After a crash or without an answer the process is gone."""
        request = "".join(argument + "\n" for argument in arguments) + "\n"
        output, end = b"", b"\x1e"
        self.process.stdin.write(request.encode())
        self.process.stdin.flush()
        while not (end in output and output.endswith(b"\n")):
            if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
                Many.stop(bp)
                raise subprocess.TimeoutExpired(bp, TIMEOUT)
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                return subprocess.CompletedProcess([bp, *arguments], -1, "", Many.stop(bp))
            output += more
        output, _, status = output.rpartition(end)
        return subprocess.CompletedProcess([bp, *arguments], int(status), output.decode(), "")


@atexit.register
def stop_all():
    for bp in list(Many.running):
        Many.stop(bp)


def run(bp, arguments):
    """The finished process, or a mismatch if it hangs or dies by a signal."""
    many = os.path.basename(bp) == "bp_many"
    try:
        result = Many.of(bp).run(bp, arguments) if many else subprocess.run(
            [bp, *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False,
            env={**os.environ, "NO_COLOR": "1"})
    except subprocess.TimeoutExpired:
        raise Mismatch("timeout", " ".join(arguments)) from None
    if result.returncode < 0 or "Sanitizer" in result.stderr:
        raise Mismatch("crash", f"{' '.join(arguments)}: {result.returncode}\n{result.stderr}")
    return result


class Judge:
    """Compares bp with the oracle on one program text."""

    def __init__(self, bp, text, plan, cap=200_000):
        self.bp, self.text, self.plan = bp, text, plan
        self.program = parse(text, plan.options)
        self.init = self.read_expr(plan.init, self.program.procs[self.program.entry])
        self.checker = explicit.Checker(self.program, self.init, cap)
        self.graph = self.checker.graph
        self.traces = 0
        self.answers = {}
        self.verified = set()

    def read_expr(self, text, proc):
        """A --when or --init expression, all of whose variables must be in scope in proc."""
        if not text:
            return None
        expr = parse_expr(text, self.plan.options.precedence)
        for leaf in leaves(expr):
            if leaf[0] == "var" and leaf[1] not in self.graph_scope(proc):
                raise SourceError(0, 0, f"{leaf[1]} is not in scope")
        return expr

    def graph_scope(self, proc):
        return set(proc.frame()) | set(self.program.globals)

    def all(self):
        """Go through all rounds; the first disagreement is raised as a Mismatch."""
        with tempfile.TemporaryDirectory() as folder:
            self.path = os.path.join(folder, "program.bp")
            with open(self.path, "w") as file:
                file.write(self.text)
            for each in self.plan.rounds:
                getattr(self, "round_" + each.command)(each)

    # Questions

    def targets(self):
        """Some TARGETs of the program: labels and lines, alone and with their procedure."""
        found = {}
        for proc in self.program.procs.values():
            for label in proc.labels:
                found[f"{proc.name}:{label}" if not label.isdigit() else f"label:{label}"] = 0
                found[label if not label.isdigit() else f"label:{label}"] = 0
        lines = {vertex.line: vertex for vertex in explicit.all_vertices(self.graph)
                 if vertex.counted}
        for line, vertex in lines.items():
            found[f"{vertex.proc.name}:{line}" if line % 2 else str(line)] = 0
        names = sorted(found)
        stride = max(1, len(names) // TARGETS)
        return names[::stride]

    def ask(self, each, arguments):
        """The JSON document of bp, whose exit status must fit its verdicts."""
        result = run(self.bp, [each.command, "--json", *each.flags, *self.plan.switches(),
                               *arguments])
        if result.returncode not in (0, 1):
            raise Mismatch("status", f"{result.returncode} from {result.args}\n{result.stderr}")
        try:
            document = json.loads(result.stdout)
        except ValueError as error:
            raise Mismatch("json", f"{error} in the output of {result.args}") from None
        reachable = any(each["verdict"] == "reachable" for each in document["results"])
        if result.returncode != reachable:
            raise Mismatch("status", f"{result.returncode} does not fit the verdicts of"
                           f" {result.args}")
        return document

    def round_reach(self, each):
        targets = list(each.targets) or self.targets()
        if not targets:
            return  # a program without a statement
        arguments = [self.path, *targets] + (["--when", each.when] if each.when else [])
        results = self.ask(each, arguments)["results"]
        if len(results) != len(targets):
            raise Mismatch("json", f"{len(results)} results for {len(targets)} targets")
        for target, result in zip(targets, results):
            vertices = explicit.target_vertices(self.graph, target)
            if not vertices:
                raise SourceError(0, 0, f"no target {target}")
            when = self.read_expr(each.when, vertices[0].proc)
            answer = self.remember((tuple(vertices), each.when),
                                   lambda: self.checker.ask_vertices(vertices, when))
            self.verify(each, target, result, answer, self.acceptor(vertices, when))

    def remember(self, question, ask):
        """The checker's answer to a question that many rounds put."""
        if question not in self.answers:
            self.answers[question] = ask()
        return self.answers[question]

    def acceptor(self, vertices, when):
        return lambda vertex, valuation: vertex in vertices and (
            when is None or self.graph.may(vertex.proc, when, valuation))

    def round_check(self, each):
        results = [result for result in self.ask(each, [self.path])["results"]
                   if result["verdict"] != "unreachable"]
        listed = [(result["target"]["proc"], result["target"]["line"]) for result in results]
        failing = {(vertex.proc.name, vertex.line): vertex
                   for vertex in explicit.assertions(self.graph)
                   if self.ask_assert(vertex).reachable}
        if sorted(listed) != sorted(failing):
            raise Mismatch("check", f"bp says {sorted(listed)} fail, not {sorted(failing)}")
        for result, place in zip(results, listed):
            vertex = failing[place]
            self.verify(each, "assert %s:%d" % place, result, self.ask_assert(vertex),
                        self.fails_at(vertex))

    def ask_assert(self, vertex):
        return self.remember(vertex, lambda: self.checker.ask_assert(vertex))

    def fails_at(self, wanted):
        return lambda vertex, valuation: (
            vertex is wanted and self.graph.can_fail(vertex, valuation))

    def verify(self, each, target, result, answer, is_target):
        expected = "reachable" if answer.reachable else "unreachable"
        where = f"{target}{' when ' + each.when if each.when else ''} ({' '.join(each.flags)})"
        if result["verdict"] != expected:
            raise Mismatch("verdict", f"{where}: {result['verdict']}, not {expected}")
        if not answer.reachable:
            return
        if not result.get("trace"):
            raise Mismatch("trace", f"{where}: no trace")
        self.traces += 1
        same = (target, each.when, each.shortest, each.any, each.expand, json.dumps(result["trace"]))
        if same in self.verified:
            return
        try:
            traces.check_trace(self.checker, result["trace"], is_target, answer,
                               each.shortest, each.expand, each.any)
        except traces.Bad as error:
            raise Mismatch("trace", f"{where}: {error}") from None
        self.verified.add(same)

    # Text and fmt

    def round_text(self, each):
        """The text form says the same as the JSON form; --reverse turns the lines round."""
        targets = list(each.targets) or self.targets()[:3]
        asked = Round("reach", each.flags)
        for target in targets:
            if not explicit.target_vertices(self.graph, target):
                raise SourceError(0, 0, f"no target {target}")
            result = self.ask(asked, [self.path, target])["results"][0]
            lines = self.lines(each.flags, target)
            if lines[0] != f"reach: {target} {result['verdict']}":
                raise Mismatch("text", f"first line {lines[0]!r} for {target}")
            if result["verdict"] != "reachable":
                continue
            try:
                traces.check_text(lines[1:], result["trace"])
            except traces.Bad as error:
                raise Mismatch("text", f"{target}: {error}") from None
            if self.lines(("--no-trace", *each.flags), target) != lines[:1]:
                raise Mismatch("text", f"{target}: --no-trace prints more than the first line")
            if self.lines(("--reverse", *each.flags), target)[1:] != lines[:0:-1]:
                raise Mismatch("text", f"{target}: --reverse is not the reverse")

    def lines(self, flags, target):
        result = run(self.bp, ["reach", *flags, *self.plan.switches(), self.path, target])
        if result.returncode not in (0, 1) or not result.stdout:
            raise Mismatch("status", f"{result.returncode} from {result.args}\n{result.stderr}")
        return result.stdout.splitlines()

    def round_fmt(self, _):
        once = self.format(self.text)
        if self.format(once) != once:
            raise Mismatch("fmt", "formatting twice differs from formatting once")
        readings = [Options(precedence="getafix"), self.plan.options]
        if not any(self.same(once, options) for options in readings):
            raise Mismatch("fmt", f"another program:\n{once}")

    def format(self, text):
        switches = ["--precedence", self.plan.options.precedence]
        path = os.path.join(os.path.dirname(self.path), "format.bp")
        with open(path, "w") as file:
            file.write(text)
        result = run(self.bp, ["fmt", *switches, path])
        if result.returncode != 0:
            raise Mismatch("fmt", f"exit {result.returncode} from {result.args}\n{result.stderr}")
        return result.stdout

    def same(self, text, options):
        try:
            return shape(parse(text, options)) == shape(self.program)
        except SourceError as error:
            raise Mismatch("fmt", f"{error} in\n{text}") from None
