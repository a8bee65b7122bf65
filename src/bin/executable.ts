// The command `mainstay` as one executable file, for machines without Node: Node is in it, so nobody asks which one there is. Pages for
// people (runbooks, the dashboard) are files beside the package and not in it.

import { runCommandLine } from "./command-line.ts";

/** Put in its place when it is built: there is no package.json beside an executable. */
declare const builtVersion: string;

void runCommandLine(builtVersion);
