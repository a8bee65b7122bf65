// A button that says why it cannot be pressed. It stays in place and can be reached by keyboard, so that everybody can read the reason.

import { type ReactNode, useId } from "react";

export interface BlockedButtonProps {
  readonly children: ReactNode;
  /** Absent: it can be pressed. */
  readonly blockedBecause?: string | undefined;
  readonly type?: "button" | "submit";
  readonly onPress?: () => void;
}

export function BlockedButton({ children, blockedBecause, type = "button", onPress }: BlockedButtonProps) {
  const reason = useId();
  const blocked = blockedBecause !== undefined;
  return (
    <>
      <button
        type={blocked ? "button" : type}
        aria-disabled={blocked}
        aria-describedby={blocked ? reason : undefined}
        onClick={blocked ? undefined : onPress}
      >
        {children}
      </button>
      {blocked ? (
        <span id={reason} className="small soft">
          {blockedBecause}
        </span>
      ) : null}
    </>
  );
}
