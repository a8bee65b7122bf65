// Topology on a real API server of its own, so that it may have the one Infrastructure object that a cluster has.

import { describeLab, labKube } from "../lab.ts";
import { topologyContract } from "../topology/topology.contract.ts";
import { privateSession } from "./private-session.ts";

describeLab("topology on the real API server", labKube, (lab) => {
  const get = privateSession(lab);
  topologyContract(() => get().session);
});
