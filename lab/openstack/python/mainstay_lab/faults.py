"""Statuses set by hand, through the code that Octavia's driver agent runs for a provider.

One line of JSON on the socket RUN/faults.sock, such as {"loadbalancers": [{"id": "...", "provisioning_status": "ERROR"}]}; one
line back with a status_code.
"""
import json
import os
import socketserver
import threading

from octavia.api.drivers.driver_agent import driver_updater


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            answer = driver_updater.DriverUpdater().update_loadbalancer_status(json.loads(self.rfile.readline()))
        except Exception as error:
            answer = {"status_code": 500, "fault_string": repr(error)}
        self.wfile.write(json.dumps(answer).encode() + b"\n")


def listen(run):
    path = run + "/faults.sock"
    if os.path.exists(path):
        os.unlink(path)
    server = socketserver.ThreadingUnixStreamServer(path, Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
