"""Octavia's API and its worker in one process, over a message bus inside it. Arguments: port, run folder, Octavia's own.

The worker waits for RUN/mgmt_net_id: its flows look that network up in Neutron. HEARTBEAT=0 leaves the health messages out.
"""
import os
import sys
import threading
import time

import waitress
from mainstay_lab import sockets

port, run = int(sys.argv[1]), sys.argv[2]
sockets.move_to(run)
from octavia.api import app as api  # noqa: E402  the sockets' places come first

app = api.setup_app(argv=["octavia-api"] + sys.argv[3:])
from mainstay_lab import faults, health  # noqa: E402  these want the configuration that setup_app has read
from octavia.controller.queue.v2 import consumer  # noqa: E402
from oslo_config import cfg  # noqa: E402


def work():
    network = run + "/mgmt_net_id"
    while not os.path.exists(network):
        time.sleep(0.1)
    with open(network) as file:
        cfg.CONF.set_override("amp_boot_network_list", [file.read().strip()], group="controller_worker")
    consumer.ConsumerService(0, cfg.CONF).run()
    if os.environ.get("HEARTBEAT", "1") == "1":
        health.report_for_ever(run)


faults.listen(run)
threading.Thread(target=work, daemon=True).start()
waitress.serve(app, host="127.0.0.1", port=port, threads=16, ident=None)
