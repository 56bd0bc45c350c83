"""The embedded servers from the command line.

python -m config.embedded run [--ephemeral] -- COMMAND   run a command with the servers up and named in its environment
python -m config.embedded clean                          throw this checkout's data away
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from config.embedded.layout import EmbeddedError
from config.embedded.processes import ENDING, end_with_parent
from config.embedded.servers import Services, named


def main(words: list[str]) -> int:
    if words == ["clean"]:
        Services().remove()
        return 0
    split = words.index("--") if "--" in words else len(words)
    options, command = words[:split], words[split + 1 :]
    if options not in (["run"], ["run", "--ephemeral"]) or not command:
        print(__doc__, file=sys.stderr)
        return 2
    if named(os.environ):
        return subprocess.call(command)
    return run(command, ephemeral="--ephemeral" in options)


def run(command: list[str], *, ephemeral: bool) -> int:
    """Run a command on the servers and return its exit code; signals go on to it, and it does not outlive us."""
    told: list[int] = []
    child: subprocess.Popen[bytes] | None = None

    def pass_on(signum: int, frame: FrameType | None) -> None:
        told.append(signum)
        if child is not None and signum != signal.SIGINT:  # a terminal's Ctrl-C has reached it already
            child.send_signal(signum)

    for signum in ENDING:
        if signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, pass_on)
    with Services(ephemeral) as services:
        if told:
            return 128 + told[0]
        environ = {**os.environ, **services.environ}
        child = subprocess.Popen(command, env=environ, preexec_fn=end_with_parent(signal.SIGTERM))
        if told:  # perhaps before it could hear
            child.send_signal(told[0])
        code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (EmbeddedError, FileNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
