// Which Services this pool serves, which it has to let go, and which only have to be told something. Every Service is some one pool's to
// act for, whatever became of the pool that served it.

import { formatRef, refOf } from "../../../../apis/kube/kube-object.ts";
import { byText } from "../../../../core/by-text.ts";
import { isBeingDeleted } from "../../../../core/ownership.ts";
import type { Reason } from "../../../../core/reasons.ts";
import { type AddressRecord, addressRecord } from "../../apis/annotations.ts";
import type { Service } from "../../apis/kube-objects.ts";
import type { PoolObserved } from "../model/observed.ts";
import { type ServiceAsk, serviceAsk } from "../services/service-ask.ts";
import { serviceStanding } from "../services/service-standing.ts";

export interface ServedService {
  readonly service: Service;
  /** `namespace/name`. */
  readonly key: string;
  readonly ask: ServiceAsk;
  readonly record: AddressRecord;
}

export interface ReleasedService {
  readonly service: Service;
  readonly key: string;
  readonly record: AddressRecord;
  readonly message: string;
  /** The pool that it named is not to serve it any more. */
  readonly forgetsPool: boolean;
}

/** Something that the people of one Service have to know. */
export interface ServiceNote {
  readonly service: string;
  readonly reason: Reason;
  readonly message: string;
}

export interface PoolServices {
  readonly served: readonly ServedService[];
  readonly released: readonly ReleasedService[];
  readonly notes: readonly ServiceNote[];
}

export function poolServices({ pool, pools, services }: PoolObserved): PoolServices {
  const { name } = pool.metadata;
  const isLeaving = isBeingDeleted(pool);
  const names = pools.map(({ metadata }) => metadata.name).toSorted();
  const found = { served: [] as ServedService[], released: [] as ReleasedService[], notes: [] as ServiceNote[] };
  for (const service of services.toSorted(byText((one) => formatRef(refOf(one))))) {
    const key = formatRef(refOf(service));
    const record = addressRecord(service.metadata.annotations);
    const standing = serviceStanding(service, pools);
    // Of a pool that is gone, or from a time without pools: the first one acts for it.
    const actor = record.pool !== undefined && names.includes(record.pool) ? record.pool : names[0];
    const held = { service, key, record };
    const waitsFor =
      standing.kind === "serve" && names.includes(standing.movesFrom ?? "") ? standing.movesFrom : undefined;
    if (standing.kind === "serve" && standing.pool === name && waitsFor === undefined)
      found.served.push({ ...held, ask: serviceAsk(service) });
    else if (standing.kind === "serve" && waitsFor === name)
      found.released.push({ ...held, message: `the pool ${standing.pool} serves it now`, forgetsPool: true });
    else if (standing.kind === "release" && actor === name)
      found.released.push({ ...held, message: standing.message, forgetsPool: isLeaving });
    if (standing.kind !== "serve" && standing.why === "SeveralPools" && actor === name)
      found.notes.push({ service: key, reason: "ServicePoolAmbiguous", message: `${key}: ${standing.message}` });
  }
  return found;
}
