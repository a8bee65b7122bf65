// Moves between views without loading a page: the browser's history is the only place where the view is kept.

import { useSyncExternalStore } from "react";
import { formatView, parseView, type View } from "./routes.ts";

const moved = new EventTarget();

/** `replace` for what changes with every keystroke: going back must not undo a word letter by letter. */
export function goTo(view: View, { replace = false }: { readonly replace?: boolean } = {}): void {
  const address = formatView(view);
  if (address === currentAddress()) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  moved.dispatchEvent(new Event("moved"));
}

export function useView(): View {
  const address = useSyncExternalStore(subscribe, currentAddress);
  const { pathname, search } = new URL(address, location.origin);
  return parseView(pathname, search);
}

function currentAddress(): string {
  return `${location.pathname}${location.search}`;
}

function subscribe(listener: () => void): () => void {
  moved.addEventListener("moved", listener);
  addEventListener("popstate", listener);
  return () => {
    moved.removeEventListener("moved", listener);
    removeEventListener("popstate", listener);
  };
}
