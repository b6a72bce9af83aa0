"""Explicit-state checker: exact reachability and minimal lengths with unbounded recursion.

Tabulation of concrete path edges <context, node>: node is reached in a frame entered with context.
Every path edge and every summary carries the least number of statements executed since the frame
was entered. Distances from the start are then shortest paths in a plain graph of nodes.
"""

import heapq
from collections import defaultdict
from dataclasses import dataclass
from itertools import count, islice

from graph import EXIT, Graph

START = "start"


class TooBig(Exception):
    """The program has more path edges than the cap allows."""


@dataclass
class Answer:
    """Is a target reachable, and with which minimal lengths (None if it is not)?"""

    reachable: bool
    hierarchical: int = None
    expanded: int = None


class Checker:
    """All path edges of a program; answers any number of questions."""

    def __init__(self, program, init=None, cap=200_000):
        self.graph = Graph(program)
        self.cap = cap
        self.starts = list(islice(self.graph.initial_nodes(init), cap + 1))
        self.cost = {}
        self.summaries = defaultdict(dict)
        self.callers = defaultdict(dict)
        self.queue = []
        self.ticket = count()
        self.tabulate()
        self.reached = {node for _, node in self.cost if node[0] != EXIT}
        self.hierarchical = self.distances(lambda inside: 1)
        self.expanded = self.distances(lambda inside: 1 + inside)

    # Path edges and summaries, cheapest first; a cheaper one found later is propagated again

    def tabulate(self):
        if len(self.starts) > self.cap:
            raise TooBig
        for node in self.starts:
            self.add(START, node, 0)
        while self.queue:
            cost, _, context, node = heapq.heappop(self.queue)
            if cost == self.cost[context, node]:
                self.propagate(context, node, cost)

    def add(self, context, node, cost):
        edge = context, node
        if cost >= self.cost.get(edge, cost + 1):
            return
        self.cost[edge] = cost
        if len(self.cost) > self.cap:
            raise TooBig
        heapq.heappush(self.queue, (cost, next(self.ticket), context, node))

    def propagate(self, context, node, cost):
        vertex = node[0]
        if vertex == EXIT:
            self.leave(context, node[1], cost)
        elif vertex.kind == "call":
            self.call(context, node, cost)
        else:
            for following in self.graph.steps(node):
                self.add(context, following, cost + vertex.counted)

    def call(self, context, node, cost):
        for callee in self.graph.contexts(node):
            if callee not in self.callers:
                for start in self.graph.start_nodes(callee):
                    self.add(callee, start, 0)
            self.callers[callee][context, node] = cost
            for leaving, inside in self.summaries[callee].items():
                self.add(context, self.graph.resume(node, leaving), cost + 1 + inside)

    def leave(self, callee, leaving, inside):
        self.summaries[callee][leaving] = inside
        for (context, node), cost in self.callers[callee].items():
            self.add(context, self.graph.resume(node, leaving), cost + 1 + inside)

    # Calls as traces.py needs them

    def returns(self, node):
        """The nodes behind the call at node, each with the least number of statements inside."""
        result = {}
        for callee in self.graph.contexts(node):
            for leaving, inside in self.summaries[callee].items():
                following = self.graph.resume(node, leaving)
                result[following] = min(inside, result.get(following, inside))
        return result

    # Lengths

    def distances(self, call_cost):
        """Least number of statements before each reached node, a completed call costing so."""
        distance = {node: 0 for node in self.starts}
        ticket = count()
        queue = [(0, next(ticket), node) for node in self.starts]
        while queue:
            far, _, node = heapq.heappop(queue)
            if far > distance[node]:
                continue
            for following, weight in self.moves(node, call_cost):
                if far + weight < distance.get(following, far + weight + 1):
                    distance[following] = far + weight
                    heapq.heappush(queue, (far + weight, next(ticket), following))
        return distance

    def moves(self, node, call_cost):
        """Steps, completed calls and entered calls; leaving a frame is inside a completed call."""
        if node[0].kind != "call":
            for following in self.graph.steps(node):
                if following[0] != EXIT:
                    yield following, node[0].counted
            return
        for following, inside in self.returns(node).items():
            yield following, call_cost(inside)
        for callee in self.graph.contexts(node):
            for start in self.graph.start_nodes(callee):
                yield start, 1

    # Questions

    def ask(self, is_target):
        """The answer for the nodes is_target accepts; lengths count the target itself."""
        nodes = [node for node in self.reached if node[0].counted and is_target(*node)]
        if not nodes:
            return Answer(False)
        return Answer(True, 1 + min(self.hierarchical[node] for node in nodes),
                      1 + min(self.expanded[node] for node in nodes))

    def ask_vertices(self, vertices, when=None):
        vertices = set(vertices)
        return self.ask(lambda vertex, valuation: vertex in vertices and (
            when is None or self.graph.may(vertex.proc, when, valuation)))

    def ask_assert(self, vertex):
        return self.ask(lambda at, valuation: at is vertex and self.graph.can_fail(at, valuation))


def all_vertices(graph):
    for vertices in graph.vertices.values():
        yield from vertices


def label_vertices(graph, label, proc=None):
    """The statements carrying a label, in one procedure or in all."""
    return [graph.places[stmt] for each in graph.program.procs.values()
            if proc in (None, each.name) for stmt in each.labels.get(label, ())]


def line_vertices(graph, line, proc=None):
    """The counted statements of a line."""
    return [vertex for vertex in all_vertices(graph) if vertex.counted and vertex.line == line
            and proc in (None, vertex.proc.name)]


def assertions(graph):
    return [vertex for vertex in all_vertices(graph) if vertex.kind in ("assert", "abortif")]


def target_vertices(graph, target):
    """The statements a TARGET of `bp reach` means (cli.md); empty if it is unknown."""
    proc, colon, name = target.rpartition(":")
    if proc == "label":
        return label_vertices(graph, name)
    proc = proc if colon else None
    if name.isdigit():
        return line_vertices(graph, int(name), proc)
    return label_vertices(graph, name, proc)
