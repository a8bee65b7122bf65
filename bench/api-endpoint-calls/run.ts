// Prints how many calls observing a cluster takes on the lab's real OpenStack: see count-calls.ts. Ends with 1 when a target is missed.
// Usage: npm run bench:api-endpoint-calls [-- --cross-zone]

import { parseArgs } from "node:util";
import { countCalls } from "./count-calls.ts";
import { findOpenStack } from "./lab-cluster.ts";

const { values } = parseArgs({ options: { "cross-zone": { type: "boolean", default: false } } });
const lab = findOpenStack();
if (lab === undefined) {
  console.error("The OpenStack lab has never been started. Start it with `make lab`, then run this again.");
  process.exit(1);
}
console.error("Building the cluster on the lab …");
const { observations, report } = await countCalls(lab, values["cross-zone"]);
console.log(report);
process.exitCode = observations.every(({ ours, target }) => ours <= target) ? 0 : 1;
