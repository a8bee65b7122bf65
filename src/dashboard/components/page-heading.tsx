// The heading of a page, which is also the window's title. It can take the focus, so that keyboard and screen reader continue there
// after a change of page.

import type { ReactNode } from "react";

export function PageHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <>
      <title>{`${title} · Mainstay`}</title>
      <h1 tabIndex={-1}>{children ?? title}</h1>
    </>
  );
}
