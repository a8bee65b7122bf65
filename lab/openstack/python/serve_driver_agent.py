"""Octavia's driver agent, which the OVN provider needs. Arguments: run folder, then the agent's own."""
import sys

from mainstay_lab import sockets

sockets.move_to(sys.argv.pop(1))
from octavia.cmd.driver_agent import main  # noqa: E402  the sockets' places come first

main()
