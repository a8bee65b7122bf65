// The heading of a page, which also names it in the window's title. It can take the focus, so that keyboard and screen reader
// go on at the right place after a move.

import type { ReactNode } from "react";

export function PageHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <>
      <title>{`${title} · Mainstay`}</title>
      <h1 tabIndex={-1}>{children ?? title}</h1>
    </>
  );
}
