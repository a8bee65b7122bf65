// What needs attention stands first, then by name.

import { byText } from "../../../../core/by-text.ts";
import { healthOrder } from "../../../../core/views/health.ts";
import type { Health } from "../../../../core/views/object-view.ts";

export function sickFirst<T extends { readonly health: Health }>(nameOf: (one: T) => string) {
  const byName = byText(nameOf);
  return (a: T, b: T): number => healthOrder.indexOf(a.health) - healthOrder.indexOf(b.health) || byName(a, b);
}
