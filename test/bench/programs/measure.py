# Runs a command and adds one line to a file: its wall times and the CPU seconds of its whole tree (wait4). Started by test/bench only.
# usage: measure.py <file> <kind> <command> [arguments]
import json
import os
import resource
import signal
import sys
import time

out, kind, command = sys.argv[1], sys.argv[2], sys.argv[3:]
started = time.time()
child = os.posix_spawnp(command[0], command, os.environ)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)  # the child gets it as well, and its end is ours
_, status, tree = os.wait4(child, 0)
own = resource.getrusage(resource.RUSAGE_SELF)
line = {
    "kind": kind,
    "started_s": started,
    "ended_s": time.time(),
    "tree_cpu_s": tree.ru_utime + tree.ru_stime,
    # What the measuring itself cost; it is nobody's.
    "own_cpu_s": own.ru_utime + own.ru_stime,
}
with open(out, "a") as file:
    file.write(json.dumps(line) + "\n")
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
