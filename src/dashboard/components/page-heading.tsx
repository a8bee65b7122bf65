// The heading of a page, which is also the window's title, with the number of objects that need attention before it. It can take the focus, so that keyboard and screen reader continue there
// after a change of page.

import type { ReactNode } from "react";
import { needingAttention } from "../attention.ts";
import { useLive } from "../live/live-context.tsx";

export function PageHeading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { known } = useLive();
  const sick = known === undefined ? 0 : needingAttention([...known.objects.values()]).length;
  return (
    <>
      <title>{`${sick === 0 ? "" : `(${sick}) `}${title} · Mainstay`}</title>
      <h1 tabIndex={-1}>{children ?? title}</h1>
    </>
  );
}
