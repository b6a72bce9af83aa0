#!/usr/bin/env python3
"""A stand-in for `bp` made from the oracle, to test diff.py and corpus.py themselves.

usage: standin.py reach|check|fmt|ltl [OPTION...] FILE [TARGET...]

It answers reach, check, fmt and ltl as cli.md says, slowly. STANDIN_BUG names a fault to show: verdict,
state, length, step or fmt, for ltl see standin_ltl.py; the drivers must then report failures.
"""

import heapq
import json
import os
import sys
from itertools import count

import explicit
import standin_ltl
import traces
from boolprog import Options, parse, parse_expr
from graph import EXIT
from lexer import SourceError
from show import show

BUG = os.environ.get("STANDIN_BUG", "")


def order(node):
    """Makes equal questions give equal traces, whatever the order of sets."""
    vertex, valuation = node
    return (0, "", valuation) if vertex == EXIT else (vertex.line, vertex.kind, valuation)


def weigh(move):
    weight, following, inside = move
    return weight, order(following), inside or 0


class Witness:
    """Shortest traces from the distances of a checker."""

    def __init__(self, checker, shortest):
        self.checker, self.graph = checker, checker.graph
        self.cost = (lambda inside: 1 + inside) if shortest else (lambda inside: 1)
        self.distance = checker.expanded if shortest else checker.hierarchical

    def path(self, is_target):
        """The listed nodes to the nearest target, each with what follows it."""
        nodes = [node for node in self.checker.reached if node[0].counted and is_target(*node)]
        nearest = min(self.distance[node] for node in nodes)
        ends = {node for node in nodes if self.distance[node] == nearest}
        return self.search({node: None for node in self.checker.starts}, ends.__contains__)

    def search(self, parents, is_end, inner=False):
        """Dijkstra from the keys of parents: [(node, inside or None, following)] to an end."""
        ticket = count()
        queue = [(0, next(ticket), node, parents[node]) for node in sorted(parents, key=order)]
        came = {}
        while queue:
            far, _, node, parent = heapq.heappop(queue)
            if node in came:
                continue
            came[node] = parent
            if is_end(node):
                return self.unwind(came, node)
            for weight, following, inside in sorted(self.moves(node, inner), key=weigh):
                heapq.heappush(queue, (far + weight, next(ticket), following, (node, inside)))
        raise AssertionError("no way to the target")

    def moves(self, node, inner):
        if node[0] == EXIT:
            return
        if node[0].kind != "call":
            for following in self.graph.steps(node):
                yield node[0].counted, following, None
            return
        for following, inside in self.checker.returns(node).items():
            yield (1 + inside if inner else self.cost(inside)), following, inside
        for callee in () if inner else self.graph.contexts(node):
            for start in self.graph.start_nodes(callee):
                yield 1, start, None

    @staticmethod
    def unwind(came, node):
        result = [(node, None, None)]
        while came[node] is not None:
            following, (node, inside) = node, came[node]
            result.append((node, inside, following))
        return result[::-1]

    def steps(self, path, expand, depth=0):
        """The path as JSON steps without states; completed calls opened for expand levels."""
        result = []
        for node, inside, following in path:
            if node[0] == EXIT or not node[0].counted:
                continue
            step = {"proc": node[0].proc.name, "line": node[0].line, "depth": depth,
                    "kind": node[0].kind}
            result.append(step)
            if inside is not None and expand == 0:
                step.update(closed=True, inside=inside)
            elif inside is not None:
                result += self.steps(self.opened(node, inside, following),
                                     expand and expand - 1, depth + 1)
            elif node[0].kind == "call" and following is not None:
                depth += 1
        return result

    def opened(self, node, inside, following):
        """The cheapest run of the completed call from node to following."""
        for callee in sorted(self.graph.contexts(node)):
            for leaving, cost in sorted(self.checker.summaries[callee].items()):
                if cost == inside and self.graph.resume(node, leaving) == following:
                    starts = {start: None for start in self.graph.start_nodes(callee)}
                    return self.search(starts, lambda end, to=(EXIT, leaving): end == to, True)
        raise AssertionError("no such run")


class StandIn:
    """One invocation of the command."""

    def __init__(self, arguments):
        self.flags, self.values, self.names = set(), {}, []
        arguments = iter(arguments)
        for argument in arguments:
            if argument in ("--entry", "--precedence", "--dead", "--fall-off", "--undeclared",
                            "--when", "--init", "--automaton"):
                self.values[argument[2:].replace("-", "_")] = next(arguments)
            elif argument.startswith("--expand="):
                self.values["expand"] = int(argument[9:])
            elif argument.startswith("--"):
                self.flags.add(argument)
            else:
                self.names.append(argument)
        reading = {name: self.values[name] for name in vars(Options()) if name in self.values}
        self.options = Options(**reading)

    def run(self):
        command, path, *targets = self.names
        with open(0 if path == "-" else path) as file:
            program = parse(file.read(), self.options)
        if command == "fmt":
            text = show(program)
            print(text.replace("skip;", ";", 1) if BUG == "fmt" else text, end="")
            return 0
        if command == "ltl":
            status, text = standin_ltl.answer(program, self.names, self.values, self.flags, BUG)
            print(text)
            return status
        if program.concurrent:
            raise SourceError(1, 1, "concurrent programs are not supported")
        self.checker = explicit.Checker(program, self.expr("init"))
        results = self.check() if command == "check" else [self.reach(each) for each in targets]
        self.output(command, results)
        return int(any(result["verdict"] == "reachable" for result in results))

    def expr(self, name):
        text = self.values.get(name)
        return parse_expr(text, self.options.precedence) if text else None

    def reach(self, target):
        graph, when = self.checker.graph, self.expr("when")
        vertices = explicit.target_vertices(graph, target)
        return self.result({"kind": "label", "name": target}, lambda vertex, valuation: (
            vertex in vertices and (when is None or graph.may(vertex.proc, when, valuation))))

    def check(self):
        graph = self.checker.graph
        results = [self.result({"kind": "assert", "proc": wanted.proc.name, "line": wanted.line},
                               lambda vertex, valuation, wanted=wanted: (
                                   vertex is wanted and graph.can_fail(vertex, valuation)))
                   for wanted in explicit.assertions(graph)]
        return [result for result in results if result["verdict"] == "reachable"]

    def result(self, target, is_target):
        if not self.checker.ask(is_target).reachable:
            return {"target": target, "verdict": "unreachable"}
        if BUG == "verdict" and self.checker.ask(is_target).hierarchical > 5:
            return {"target": target, "verdict": "unreachable"}
        return {"target": target, "verdict": "reachable", "trace": self.trace(is_target)}

    def trace(self, is_target):
        expand = self.values.get("expand", None if "--expand" in self.flags else 0)
        witness = Witness(self.checker, "--shortest" in self.flags)
        steps = witness.steps(witness.path(is_target), expand)
        items = traces.frames([traces.Step.read(step) for step in steps])
        replay = traces.Replay(self.checker, items, is_target)
        for at, step in enumerate(steps):
            step["state"] = replay.state(at)
        if BUG == "state" and len(steps[-1]["state"]) > 1:
            steps[-1]["state"].popitem()
        if BUG == "step" and len(steps) > 8:
            del steps[4]
        return {"length": sum(item.weight() for item in items) + (BUG == "length"),
                "hierarchical_length": traces.spine_length(items), "steps": steps}

    def output(self, command, results):
        if "--json" in self.flags:
            print(json.dumps({"version": 1, "command": command, "results": results}))
            return
        if command == "check":
            lines = [f"check: FAILED  {self.names[1]}:{result['target']['line']}"
                     for result in results]
            print("\n".join(lines or ["check: safe"]))
            return
        for result in results:
            print(f"{command}: {result['target']['name']} {result['verdict']}")
            if "--no-trace" in self.flags or result["verdict"] != "reachable":
                continue
            lines = ["  " * step["depth"] + f"{step['proc']}:{step['line']} {step['state']}"
                     for step in result["trace"]["steps"]]
            print("\n".join(lines[::-1] if "--reverse" in self.flags else lines))


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    stand_in = StandIn(sys.argv[1:])
    try:
        return stand_in.run()
    except SourceError as error:
        print(f"{stand_in.names[1]}:{error.line}:{error.column}: error: {error.message}",
              file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
