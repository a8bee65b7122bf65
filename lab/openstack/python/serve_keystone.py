"""Keystone's public API on loopback. Arguments: port."""
import sys

import waitress

port = int(sys.argv[1])
sys.argv = sys.argv[:1]
from keystone.server import wsgi  # noqa: E402  reads sys.argv

waitress.serve(wsgi.initialize_public_application(), host="127.0.0.1", port=port, threads=8, ident=None)
