#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cases cannot say about the command bp: signals, terminals, broken outputs, limits of memory,
and that help, man page and completion know the same options.

usage: behaviour.py BP CASES CLI_SOURCE [unittest arguments]
"""

import json
import os
import pathlib
import pty
import re
import resource
import select
import shlex
import signal
import subprocess
import sys
import time
import unittest

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))
BP = os.path.abspath(sys.argv[1])
CASES = pathlib.Path(sys.argv[2]).resolve()
SOURCE = pathlib.Path(sys.argv[3]).resolve()
COMMANDS = ["check", "reach", "ltl", "configs", "cfg", "fmt", "info"]
OPERANDS = {"reach": ["R"], "ltl": ["F R"], "configs": ["--at", "R"]}
# What --help does not show.
HIDDEN = {"--ltl-off"}


def start(*args, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([BP, *args], cwd=CASES, text=True, **options)


def run(*args, **options):
    process = start(*args, **options)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def on_terminal(*args, streams=("stdout",), seconds=20, environment=None, stop=None):
    """Runs bp with some streams on a terminal; answers what came there, and the status. `stop` is a
    text: when it has come, bp is interrupted."""
    try:
        ours, theirs = pty.openpty()
    except OSError as problem:  # a root without /dev/pts
        raise unittest.SkipTest(str(problem)) from None
    options = {s: theirs for s in streams}
    process = start(*args, env=environment, **options)
    os.close(theirs)
    seen, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.1)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if stop and stop in seen:
            process.send_signal(signal.SIGINT)
            stop = None
    os.close(ours)
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return seen.decode(), process.returncode


def environment(**changes):
    plain = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    return {**plain, "TERM": "xterm", **changes}


class Output(unittest.TestCase):
    def test_full_disk(self):
        for args in [("reach", "fig1.bp", "R"), ("reach", "fig1.bp", "R", "--json"),
                     ("fmt", "fig1.bp"), ("info", "fig1.bp"), ("help",), ("--version",)]:
            with open("/dev/full", "w") as full:
                status, _, err = run(*args, stdout=full)
            self.assertEqual(status, 2, args)
            self.assertIn("standard output", err)

    def test_closed_output(self):
        status, _, err = run("info", "fig1.bp", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(status, 2)
        self.assertIn("standard output", err)

    def test_broken_pipe_ends_an_endless_trace(self):
        for handler, statuses in ((signal.SIG_IGN, [2]), (signal.SIG_DFL, [-signal.SIGPIPE])):
            process = start("reach", "doubling.bp", "R", "--expand", restore_signals=False,
                            preexec_fn=lambda h=handler: signal.signal(signal.SIGPIPE, h))
            for _ in range(200):
                self.assertTrue(process.stdout.readline())
            process.stdout.close()
            self.assertIn(process.wait(timeout=30), statuses)
            process.stderr.close()

    def test_nothing_but_the_answer_when_quiet(self):
        self.assertEqual(run("check", "fig1.bp", "--quiet"), (0, "check: safe\n", ""))


class Streaming(unittest.TestCase):
    def memory(self, lines):
        """The peak memory in kB of a trace that is read for some lines."""
        process = start("reach", "doubling.bp", "R", "--expand")
        for _ in range(lines):
            process.stdout.readline()
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        process.kill()
        process.communicate()
        return int(re.search(r"VmHWM:\s*(\d+)", status)[1])

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "no /proc")
    def test_expanding_takes_constant_memory(self):
        few, many = self.memory(5000), self.memory(54000)  # a sanitizer's quarantine is full in both
        self.assertLess(many, few + 2000)

    def test_traces_take_as_long_again_at_most(self):
        begin = time.monotonic()
        status, out, err = run("reach", "doubling.bp", "R", "--expand", "--timeout", "0.5",
                               stdout=subprocess.DEVNULL)
        self.assertEqual(status, 1)
        self.assertIn("not complete (time)", err)
        self.assertLess(time.monotonic() - begin, 10)

    def test_json_that_a_limit_cut_is_still_json(self):
        status, out, err = run("reach", "doubling.bp", "R", "--expand", "--timeout", "0.5", "--json")
        self.assertEqual(status, 1)
        result = json.loads(out)["results"][0]
        self.assertEqual(result["verdict"], "reachable")
        self.assertEqual(result["trace"]["incomplete"], "time")

    def test_reversed_is_the_mirror_image_also_when_long(self):
        source = "void main() begin\n" + "skip;\n" * 5000 + "R: skip;\nend\n"
        traces = []
        for option in ([], ["--reverse"]):
            process = start("reach", "-", "R", *option, stdin=subprocess.PIPE)
            out, _ = process.communicate(source, timeout=60)
            self.assertEqual(process.returncode, 1)
            traces.append(out.splitlines()[1:])
        self.assertEqual(len(traces[0]), 5001)
        self.assertEqual(traces[0], traces[1][::-1])

    def test_indentation_ends_at_forty_calls(self):
        deep = 3000
        source = "".join(f"void p{i}() begin p{i + 1}(); end\n" for i in range(deep))
        source += f"void p{deep}() begin R: skip; end\n"
        for option in ([], ["--reverse"]):
            process = start("reach", "-", "R", "--entry=p0", *option, stdin=subprocess.PIPE)
            out, _ = process.communicate(source, timeout=60)
            self.assertEqual(process.returncode, 1)
            steps = out.splitlines()[1:]
            blanks = [len(line) - len(line.lstrip(" ")) for line in steps]
            self.assertEqual(sorted(blanks), [2 * min(i, 40) for i in range(deep + 1)])


class Stopping(unittest.TestCase):
    def test_signals_leave_it_undecided(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = start("reach", "counter.bp", "--engine-off=loop", "R", "main:R")
            time.sleep(0.7)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 3)
            self.assertEqual(out, "reach: R undecided (cancelled)\n"
                                  "reach: main:R undecided (cancelled)\n")

    def test_signal_while_reading(self):
        process = start("check", "-", "--json", stdin=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=10), 3)
        result = json.loads(process.stdout.read())["results"][0]
        self.assertEqual((result["verdict"], result["reason"]), ("undecided", "cancelled"))
        process.communicate()

    def test_signal_ends_a_trace(self):
        process = start("reach", "doubling.bp", "R", "--expand")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertIn("not complete (cancelled)", err)

    def test_timeout_covers_reading(self):
        for command, out in ((("reach", "-", "R", "7"),
                              "reach: R undecided (time)\nreach: 7 undecided (time)\n"),
                             (("check", "-"), "check: undecided (time)\n"),
                             (("fmt", "-"), ""), (("info", "-"), ""), (("cfg", "-"), "")):
            process = start(*command, "--timeout", "0.2", stdin=subprocess.PIPE)
            self.assertEqual(process.wait(timeout=10), 3)
            self.assertEqual(process.stdout.read(), out)
            process.communicate()

    def test_undecided_without_verdicts(self):
        for limit, reason in (("--timeout=0.3", "time"), ("--max-steps=1", "steps"),
                              ("--max-nodes=30", "nodes")):
            self.assertEqual(run("cfg", "counter.bp", "--reached", limit),
                             (3, "", f"counter.bp: cfg: undecided ({reason})\n"))
        self.assertEqual(run("cfg", "counter.bp", "--max-steps=1")[0], 0)
        for command in ("cfg", "fmt", "info"):
            process = start(command, "-", stdin=subprocess.PIPE)
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=10), 3)
            out, err = process.communicate()
            self.assertEqual((out, err), ("", f"-: {command}: undecided (cancelled)\n"))

    def test_no_memory_for_reading_is_an_error(self):
        source = "void main() begin\n" + "skip;\n" * 300000 + "R: skip;\nend\n"

        def starve():
            resource.setrlimit(resource.RLIMIT_AS, (20 << 20, 20 << 20))

        if run("--version", preexec_fn=starve)[0]:
            self.skipTest("this build does not even start in so little memory")
        for command in COMMANDS:
            process = start(command, "-", *OPERANDS.get(command, []), stdin=subprocess.PIPE,
                            preexec_fn=starve)
            try:
                out, err = process.communicate(source, timeout=60)
            except BrokenPipeError:
                out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (2, ""), command)
            self.assertIn("memory", err)

    def test_no_memory_is_no_crash(self):
        for limit in (12 << 20, 24 << 20, 48 << 20):

            def starve(limit=limit):
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

            if run("--version", preexec_fn=starve)[0]:
                self.skipTest("this build does not even start in so little memory")
            status, out, _ = run("reach", "memory.bp", "R", "--engine-off=order,cone,live",
                                 preexec_fn=starve)
            self.assertEqual((status, out), (3, "reach: R undecided (memory)\n"))


class Jobs(unittest.TestCase):
    def without_stats(self, text):
        return [{k: v for k, v in json.loads(line).items() if k != "stats"} for line in text.splitlines()]

    def cases(self):
        """The arguments of cases about targets whose answer depends neither on time nor on counts."""
        for path in sorted(CASES.glob("*.args")):
            words = shlex.split(path.read_text())
            if words[:1] not in (["check"], ["reach"]) or "<" in words:
                continue
            if not any(w.startswith(("--timeout", "--max", "--stats", "-j", "--jobs", "--kernel")) for w in words):
                yield words

    def test_the_same_answers(self):
        count = 0
        for words in self.cases():
            for jobs in ("-j2", "-j3"):
                alone, shared = run(*words), run(words[0], jobs, *words[1:])
                if "--json" in words:
                    alone, shared = ((status, self.without_stats(out), err)
                                     for status, out, err in (alone, shared))  # fmt: skip
                self.assertEqual(alone, shared, words)
                count += 1
        self.assertGreater(count, 100)

    def test_spellings(self):
        expected = run("check", "two.bp", "safe.bp")
        for spelling in (("-j", "2"), ("-j2",), ("-j=2",), ("--jobs", "2"), ("--jobs=2",)):
            self.assertEqual(run("check", *spelling, "two.bp", "safe.bp"), expected)

    def test_a_document_a_line(self):
        files = ("two.bp", "fig1.bp", "syntax.bp", "lock.bp")
        status, out, err = run("check", *files, "-j2", "--json")
        self.assertEqual(status, 2)
        self.assertIn("syntax.bp:4:8: error", err)
        documents = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([d["file"] for d in documents], ["two.bp", "fig1.bp", "lock.bp"])
        for document in documents:
            alone = json.loads(run("check", document["file"], "--json")[1])
            self.assertEqual(document["results"], alone["results"])

    def test_more_files_than_are_read_at_once(self):
        files = ["two.bp", "safe.bp", "missing.bp", "lock.bp"] * 12
        lines = {name: run("check", name, "safe.bp", "--no-trace")[1].splitlines()[:-1] for name in files}
        for jobs in ("1", "2", "3"):
            status, out, err = run("check", *files, "--no-trace", "-j", jobs)
            self.assertEqual(status, 2)
            self.assertEqual(err.count("No such file"), 12)
            self.assertEqual(out.splitlines(), [line for name in files for line in lines[name]])

    def test_statuses(self):
        limits = ("--max-steps=1000", "--engine-off=loop", "--no-trace", "-j2")
        for files, status in ((("safe.bp", "fig1.bp"), 0), (("safe.bp", "two.bp"), 1),
                              (("mixed.bp", "safe.bp"), 1), (("safe.bp", "syntax.bp", "two.bp"), 2),
                              (("syntax.bp", "missing.bp"), 2)):  # fmt: skip
            self.assertEqual(run("check", *files, *limits)[0], status, files)
        self.assertEqual(run("check", "fig1.bp", "safe.bp", "--max-steps=1", "-j2")[0], 3)

    def test_stats_name_the_file(self):
        _, _, err = run("check", "two.bp", "safe.bp", "--stats", "-j2")
        for name in ("two.bp", "safe.bp"):
            self.assertRegex(err, rf"(?m)^{name}: images: [1-9]")

    def test_stats_are_summed(self):
        def images(*words):
            return int(re.search(r"^images: (\d+)", run(*words, "--stats")[2], re.M)[1])

        self.assertEqual(images("reach", "fig1.bp", "R", "14", "-j2"),
                         images("reach", "fig1.bp", "R") + images("reach", "fig1.bp", "14"))  # fmt: skip

    def test_signal_stops_all(self):
        for words, out in ((["reach", "counter.bp", "R", "main:R"], "reach: R {0}reach: main:R {0}"),
                           (["check", "mixed.bp", "safe.bp", "mixed.bp"],
                            "mixed.bp: check: FAILED  mixed.bp:7: assert in main\nmixed.bp: check: {0}"
                            "safe.bp: check: safe\n"
                            "mixed.bp: check: FAILED  mixed.bp:7: assert in main\nmixed.bp: check: {0}")):
            process = start(*words, "-j2", "--engine-off=loop", "--no-trace")
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate(timeout=20), (out.format("undecided (cancelled)\n"), ""))
            self.assertEqual(process.returncode, 1 if words[0] == "check" else 3)

    def test_timeout_is_for_each_file(self):
        began = time.monotonic()
        status, out, _ = run("check", "counter.bp", "mixed.bp", "mixed.bp", "safe.bp", "-j2", "--timeout=0.3",
                             "--engine-off=loop", "--no-trace")
        self.assertEqual(status, 1)
        self.assertEqual(out.count("mixed.bp: check: undecided (time)\n"), 2)
        self.assertTrue(out.endswith("safe.bp: check: safe\n"))
        self.assertLess(time.monotonic() - began, 10)

    def test_progress_of_several(self):
        text, status = on_terminal("check", "mixed.bp", "mixed.bp", "-j2", "--engine-off=loop",
                                   streams=("stderr",), stop=b"images")
        self.assertRegex(text, r"bp: [2-9] s, \d+ images, \d+ nodes")
        self.assertEqual(status, 1)


class Terminal(unittest.TestCase):
    def test_color_only_on_a_terminal(self):
        text, status = on_terminal("reach", "fig1.bp", "R", environment=environment())
        self.assertEqual(status, 1)
        self.assertIn("\033[", text)
        plain = re.sub("\033\\[[0-9;]*m", "", text).replace("\r\n", "\n")
        self.assertEqual(plain, run("reach", "fig1.bp", "R")[1])

    def test_no_color(self):
        for changes in ({"NO_COLOR": "1"}, {"NO_COLOR": ""}, {"TERM": "dumb"}):
            text, _ = on_terminal("reach", "fig1.bp", "R", environment=environment(**changes))
            self.assertNotIn("\033", text)

    def test_json_has_no_color(self):
        text, _ = on_terminal("reach", "fig1.bp", "R", "--json", environment=environment())
        self.assertNotIn("\033", text)

    def test_progress(self):
        text, status = on_terminal("reach", "counter.bp", "--engine-off=loop", "R", streams=("stderr",), stop=b"images")
        self.assertRegex(text, r"bp: [2-9] s, \d+ images, \d+ nodes")
        self.assertEqual(status, 3)

    def test_no_progress_when_quiet_or_short(self):
        text, _ = on_terminal("reach", "counter.bp", "--engine-off=loop", "R", "--quiet", "--timeout", "2.5",
                              streams=("stderr",))
        self.assertEqual(text, "")
        text, _ = on_terminal("reach", "counter.bp", "--engine-off=loop", "R", "--timeout", "1", streams=("stderr",))
        self.assertEqual(text, "")


class Documents(unittest.TestCase):
    def options_of(self, command):
        _, text, _ = run("help", command)
        return set(re.findall(r"^  (--[a-z-]+)", text, re.M))

    def test_man_page_knows_every_option(self):
        page = (SOURCE / "bp.1").read_text().replace("\\-", "-")
        known = set(re.findall(r"^\.B[RI]? (--[a-z-]+)", page, re.M))
        offered = set().union(*(self.options_of(c) for c in COMMANDS))
        self.assertEqual(known - HIDDEN, offered)

    def commands_in_man_page(self):
        """{option: commands}: those named in the option's entry, else on top of its section."""
        page = (SOURCE / "bp.1").read_text().replace("\\-", "-")
        named = re.compile(r"^Commands?\n\.BR ([a-z\", ]+)", re.M)
        found = {}
        for section in re.split(r"^\.S[SH] ", page, flags=re.M):
            top, *entries = re.split(r"^\.TP\n", section, flags=re.M)
            for entry in entries:
                option = re.match(r"\.B[RI]? (--[a-z-]+)", entry)
                if option:
                    commands = named.search(entry) or named.search(top)
                    found[option[1]] = set(re.findall("[a-z]+", commands[1])) if commands else set(COMMANDS)
        return found

    def test_man_page_knows_the_commands_of_options(self):
        known = self.commands_in_man_page()
        for command in COMMANDS:
            told = {option for option, commands in known.items() if command in commands}
            self.assertEqual(told - HIDDEN, self.options_of(command), command)
            status, _, err = run(command, "fig1.bp", *OPERANDS.get(command, []), "--engine-off=live")
            self.assertEqual("takes no option" not in err, command in known["--engine-off"], command)

    def completions(self, *words):
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bp; ' \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "bash", SOURCE / "completions/bp", *words],
                              capture_output=True, text=True, cwd=CASES)
        return set(done.stdout.split())

    def test_completion_knows_every_option(self):
        for command in COMMANDS:
            offered = self.completions("bp", command, "--")
            self.assertEqual(offered - HIDDEN, self.options_of(command), command)
            self.assertEqual("--engine-off" in offered, command in ("check", "reach", "ltl", "cfg"))
            self.assertEqual("--ltl-off" in offered, command == "ltl")

    def test_completion_of_words(self):
        self.assertEqual(self.completions("bp", "r"), {"reach"})
        self.assertEqual(self.completions("bp", "check", "--dead", "h"), {"havoc"})
        self.assertEqual(self.completions("bp", "check", "--dead", "=", "i"), {"ignore"})
        self.assertEqual(self.completions("bp", "check", "fig1.b"), {"fig1.bp"})

    def test_quiet_beside_errors(self):
        for options, expected in ((), True), (("--quiet",), False):
            status, _, err = run("check", "quiet-error.bp", *options)
            self.assertEqual(status, 2)
            self.assertIn("error: 'nothing'", err)
            self.assertEqual("warning" in err, expected)

    def test_printed_programs_read_back(self):
        for path in sorted(CASES.glob("*.bp")):
            if path.name in ("syntax.bp", "quiet-error.bp"):
                continue
            undeclared = ("--undeclared", "local") if path.name == "undeclared.bp" else ()
            entry = ("--quiet", *undeclared)
            status, once, _ = run("fmt", path.name, *entry)
            self.assertEqual(status, 0, path.name)
            process = start("fmt", "-", *entry, stdin=subprocess.PIPE)
            twice, _ = process.communicate(once, timeout=30)
            self.assertEqual(once, twice, path.name)


if __name__ == "__main__":
    del sys.argv[1:4]
    unittest.main()
