"""Serves Neutron as its own program does, but tries what its database refuses six times instead of twenty: a tag that it cannot take
is then answered after half a minute and not after three."""

import sys

from neutron.cmd.eventlet.server import main
from neutron_lib.db import api

api._retry_db_errors.max_retries = 6

sys.exit(main())
