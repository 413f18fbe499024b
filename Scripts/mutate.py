"""Applies the faults in Tests/Fixtures/mutations.txt one at a time to a copy of the sources, and tells which are caught.

A fault is written as

    ## name: what it breaks
    file: path
    - a line of the old text
    + a line of the new text

The old text must occur exactly once in its file. All lines are compared without the blanks before them.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.getcwd()
COPY = os.path.join(ROOT, ".build", "mutate")
SEEDS = int(os.environ.get("CLINIC_MUTATE_SEEDS", "400"))
# The slowest tests, for which the others and the worlds are tried first.
DISKS = "FaultyDiskTests"
# No test is silent for so many seconds, unless it waits for what never comes.
SILENCE = 240
# The programs that once failed.
PAST = "SimulationTests/past"
QUICK = False


class Fault:
    def __init__(self, name):
        self.name, self.path, self.old, self.new = name, None, [], []


def faults():
    found = []
    for line in open("Tests/Fixtures/mutations.txt", encoding="utf-8").read().splitlines():
        if line.startswith("## "):
            found.append(Fault(line[3:]))
        elif line.startswith("file: "):
            found[-1].path = line[6:]
        elif line.startswith("- "):
            found[-1].old.append(line[2:].strip())
        elif line.startswith("+"):
            found[-1].new.append(line[1:].strip())
    return found


def mutated(fault):
    """The file with the fault; None when the old text is not there exactly once."""
    lines = open(os.path.join(ROOT, fault.path), encoding="utf-8").read().split("\n")
    bare = [line.strip() for line in lines]
    places = [i for i in range(len(bare)) if bare[i : i + len(fault.old)] == fault.old]
    if len(places) != 1:
        return None
    place = places[0]
    return "\n".join(lines[:place] + fault.new + lines[place + len(fault.old) :])


def environment():
    changes = {"SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"}
    changes["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "8"
    return dict(os.environ, **changes)


def run(*command):
    done = subprocess.run(
        command, cwd=COPY, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    )
    return done.returncode, done.stdout


def copy():
    """Brings the copy up to date. Only what changed is written, so that its build stays warm."""
    os.makedirs(COPY, exist_ok=True)
    for name in ["Package.swift", "Sources", "Tests", "Benchmarks"]:
        mirror(os.path.join(ROOT, name), os.path.join(COPY, name))


def mirror(source, target):
    if os.path.isfile(source):
        write(target, open(source, "rb").read())
        return
    os.makedirs(target, exist_ok=True)
    for name in set(os.listdir(target)) - set(os.listdir(source)):
        path = os.path.join(target, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    for name in os.listdir(source):
        mirror(os.path.join(source, name), os.path.join(target, name))


def write(path, data):
    if os.path.exists(path) and open(path, "rb").read() == data:
        return
    open(path, "wb").write(data)


def errors(text):
    found = [line for line in text.splitlines() if ": error:" in line or line.startswith("error:")]
    return "\n".join(found[:5])


def simulated(first, count):
    """The first world of these that notices the fault."""
    code, text = run(
        ".build/debug/clinic-sim", "--from", str(first), "--seeds", str(count), "--shrink", "0", "--first"
    )
    if code == 0:
        return None
    seeds = [line for line in text.splitlines() if line.startswith("seed ")]
    return "caught by the simulation: " + (seeds[0][:140] if seeds else "it ended with %d" % code)


def tested(*which):
    """The first test of these that notices the fault; the others are not waited for."""
    command = ["stdbuf", "-oL", "swift", "test", "--skip-build", "--disable-xctest", *which]
    with subprocess.Popen(
        command, cwd=COPY, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        output, rest = process.stdout.fileno(), b""
        while select.select([output], [], [], SILENCE)[0]:
            chunk = os.read(output, 65536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            failed = [line for line in lines if line.startswith("✘ Test".encode())]
            if failed:
                os.killpg(process.pid, signal.SIGKILL)
                return "caught by a test: " + failed[0].decode(errors="replace")[:140].strip()
        else:
            os.killpg(process.pid, signal.SIGKILL)
            return "caught by a test that waits in vain"
    return None if process.returncode == 0 else "caught by a test: exit %d" % process.returncode


def judge():
    """What notices the fault that is in the copy: the cheapest first."""
    code, text = run("swift", "build", *(["--product", "clinic-sim"] if QUICK else ["--build-tests"]))
    if code != 0:
        return "does not build:\n" + errors(text)
    few = min(40, SEEDS)
    verdict = simulated(1, few)
    if not QUICK:
        verdict = verdict or tested("--filter", PAST)
        verdict = verdict or tested("--filter", "DataTests", "--skip", DISKS)
    verdict = verdict or simulated(1 + few, SEEDS - few)
    return verdict if QUICK else verdict or tested("--filter", DISKS)


def main(arguments):
    global QUICK
    QUICK = "--quick" in arguments
    arguments = [argument for argument in arguments if argument != "--quick"]
    listed = faults()
    broken = [fault.name for fault in listed if mutated(fault) is None]
    for name in broken:
        print("does not apply any more: %s" % name)
    if broken:
        return 2
    if arguments == ["--check"]:
        print("%d faults apply" % len(listed))
        return 0
    chosen = [fault for fault in listed if not arguments or any(word in fault.name for word in arguments)]
    missed = []
    for fault in chosen:
        copy()
        write(os.path.join(COPY, fault.path), mutated(fault).encode())
        start = time.time()
        verdict = judge()
        print("%4d s  %s: %s" % (time.time() - start, fault.name, verdict or "MISSED"), flush=True)
        if verdict is None or verdict.startswith("does not build"):
            missed.append(fault.name)
    print("%d of %d caught%s" % (len(chosen) - len(missed), len(chosen), " by the simulation alone" if QUICK else ""))
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
