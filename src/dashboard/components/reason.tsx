// A reason, with a link to its runbook when it is one of ours.

import { PageLink } from "./page-link.tsx";

export interface ReasonProps {
  readonly reason: string;
  /** Absent for a reason of another controller, which has no page. */
  readonly runbook?: string | undefined;
}

export function Reason({ reason, runbook }: ReasonProps) {
  if (runbook === undefined) return <code className="reason">{reason}</code>;
  return (
    <PageLink to={{ page: "runbook", reason }} className="reason">
      <code>{reason}</code>
      <span className="visually-hidden"> runbook</span>
    </PageLink>
  );
}
