// The commands on a real API server of their own, so that they may install and remove definitions.

import { commandsContract } from "../commands/commands.contract.ts";
import { describeLab, labKube } from "../lab.ts";
import { privateSession } from "./private-session.ts";

describeLab("commands on the real API server", labKube, (lab) => {
  const get = privateSession(lab);
  commandsContract(() => ({ session: get().session, token: get().server.lab.tokens.controller }));
});
