"""What the scripts share that try one random program for each seed."""

import argparse
import os
from collections import Counter
from multiprocessing import Pool


def seeds(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def read_arguments(description, switches, minimize):
    """The command line; `switches`: the option for which switches of bp are tried."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bp", required=True)
    parser.add_argument("--seeds", type=seeds, default=seeds("1..200"), metavar="A..B")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(switches, choices=("all", "random", "none"), default="random")
    parser.add_argument("--save", default="oracle-failures", metavar="DIR")
    parser.add_argument("--minimize", type=float, default=minimize, metavar="SECONDS",
                        help="time to make one program small; 0 leaves it as it is")
    arguments = parser.parse_args()
    arguments.bp = os.path.abspath(arguments.bp)
    return arguments


def try_all(try_seed, arguments):
    """Calls try_seed((seed, arguments)) for (what it counted, None or what is wrong); prints what is wrong, then
    all counts, then how many passed. The exit status."""
    passed, failed, counts = 0, 0, Counter()
    with Pool(arguments.jobs) as pool:
        tasks = ((seed, arguments) for seed in arguments.seeds)
        for more, problem in pool.imap_unordered(try_seed, tasks, chunksize=1):
            counts.update(more)
            if problem:
                failed += 1
                print(problem, flush=True)
            else:
                passed += 1
    print(", ".join(f"{number} {name}" for name, number in counts.items()))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
