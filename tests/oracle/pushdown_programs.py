#!/usr/bin/env python3
"""Random programs: post* and pre* of their pushdown systems and the query engine say the same of every vertex.

    pushdown_programs.py --many PATH --seeds 1..100
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from generate import generate


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--many", required=True, help="pds_program")
    parser.add_argument("--seeds", default="1..100")
    args = parser.parse_args()
    first, last = map(int, args.seeds.split(".."))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in range(first, last + 1):
            files.append(pathlib.Path(folder, f"seed-{seed}.bp"))
            files[-1].write_text(generate(seed), encoding="utf-8")
        failed = False
        for i in range(0, len(files), 50):
            failed |= subprocess.run([args.many, *files[i : i + 50]]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
