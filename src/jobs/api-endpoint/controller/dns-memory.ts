// What the latest round decided about DNS records, for the next one, which otherwise reads it from status: where status cannot be written,
// a zone that is dead leaves the records all the same. Status counts as soon as it shows anything else than that round found there: then
// somebody wrote it, mostly we.

import { formatRef } from "../../../apis/kube/kube-object.ts";
import type { EndpointObserved, RecordedEndpoint, RecordedZoneDns } from "../core/model/observed.ts";

interface Decided {
  readonly uid: string;
  /** In status, as that round read it. */
  readonly found: string;
  readonly dns: readonly RecordedZoneDns[];
}

export class DnsMemory {
  /** By object. */
  readonly #decided = new Map<string, Decided>();

  of(key: string, { object, recorded }: EndpointObserved): readonly RecordedZoneDns[] | undefined {
    const last = this.#decided.get(key);
    return last?.uid === object.uid && last.found === textOf(recorded) ? last.dns : undefined;
  }

  remember({ intent, object, recorded }: EndpointObserved, dns: readonly RecordedZoneDns[]): void {
    const key = formatRef(intent.object);
    if (dns.length === 0) this.forget(key);
    else this.#decided.set(key, { uid: object.uid, found: textOf(recorded), dns });
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#decided.delete(key);
  }
}

function textOf({ zones, single }: RecordedEndpoint): string {
  return JSON.stringify([single?.dns, ...zones.map(({ zone, dns }) => [zone, dns])]);
}
