// A titled part of a page.

import { type ReactNode, useId } from "react";

export interface PanelProps {
  readonly title: string;
  /** Beside the title: a count, a link. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {aside === undefined ? null : <div className="small soft">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** The text of a part that has nothing to show. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className="nothing">{children}</p>;
}
