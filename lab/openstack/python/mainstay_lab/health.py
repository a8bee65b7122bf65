"""What amphorae would tell: fed every second to Octavia's own health code, so that operating_status moves as in a real cloud.

Members whose `address` or `address:port` stands in RUN/members-down/<project id> are reported DOWN; it takes a health monitor, as there.
"""
import os
import time

from octavia.amphorae.drivers.health import heartbeat_udp
from octavia.common import constants
from octavia.db import api as db
from octavia.db import repositories


def report_for_ever(run):
    updater, amphorae = heartbeat_udp.UpdateHealthDb(), repositories.AmphoraRepository()
    sequence = 0
    while True:
        time.sleep(1)
        sequence += 1
        try:
            down = read_down(run)
            session = db.get_session()
            for amphora in amphorae.get_all(session, status=constants.AMPHORA_ALLOCATED)[0]:
                balancer = amphora.load_balancer
                if balancer and balancer.provisioning_status != constants.PENDING_CREATE:
                    updater.update_health(message(amphora, balancer, down, sequence), "127.0.0.1")
            session.close()
        except Exception as error:
            # A balancer that goes while we look; the next second looks again.
            print("health:", repr(error), flush=True)


def read_down(run):
    """By project: two projects may have the same addresses, and each writes its own file."""
    folder, down = run + "/members-down", {}
    for project in os.listdir(folder) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, project)) as file:
            down[project] = set(file.read().split())
    return down


def message(amphora, balancer, down, sequence):
    listeners, pools = {}, {}
    down = down.get(balancer.project_id, set())
    for listener in balancer.listeners:
        if listener.provisioning_status == constants.PENDING_CREATE or not listener.enabled:
            continue
        listeners[listener.id] = {"status": constants.OPEN, "stats": dict(tx=0, rx=0, conns=0, totconns=0, ereq=0)}
        for pool in listener.pools:
            members = {member.id: state(member, pool, down) for member in pool.members if counts(member)}
            pools[pool.id + ":" + listener.id] = {"status": whole(members), "members": members}
    return {
        "id": amphora.id,
        "seq": sequence,
        "ver": 2,
        "recv_time": time.time(),
        "listeners": listeners,
        "pools": pools,
    }


def whole(members):
    """As HAProxy says of a backend: down when all of it is; one without members is up."""
    return constants.DOWN if members and set(members.values()) == {"DOWN"} else constants.UP


def counts(member):
    return member.enabled and member.provisioning_status != constants.PENDING_CREATE


def state(member, pool, down):
    if not pool.health_monitor:
        return "no check"
    names = {member.ip_address, "%s:%s" % (member.ip_address, member.protocol_port)}
    if names & down:
        return "DOWN"
    # As an amphora says of one that gets no new connections.
    return constants.DRAIN if member.weight == 0 else constants.UP
