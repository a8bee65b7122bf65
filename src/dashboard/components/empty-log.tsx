// The text of an empty log: a leader did nothing yet, a standby never does anything.

import type { ManagerInfo } from "../../server/contract.ts";
import { Nothing } from "./panel.tsx";

export function EmptyLog({ manager }: { readonly manager: ManagerInfo }) {
  if (!manager.leading) return <Nothing>This replica is a standby and plans nothing; the leader has the log.</Nothing>;
  return <Nothing>Nothing has been done, refused or waited for yet.</Nothing>;
}
