// A link to a view: an ordinary link for new tabs, copying and screen readers, which a plain click follows in place.

import type { AriaAttributes, MouseEvent, ReactNode } from "react";
import { goTo } from "../navigation.ts";
import { formatView, type View } from "../routes.ts";

export interface PageLinkProps {
  readonly to: View;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: AriaAttributes["aria-current"];
}

export function PageLink({ to, children, className, current }: PageLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={formatView(to)} onClick={follow} className={className} aria-current={current}>
      {children}
    </a>
  );
}
