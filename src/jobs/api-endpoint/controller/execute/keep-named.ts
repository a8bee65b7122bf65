// Right before an address is given back to the cloud, the object's DNSEndpoint is read once more, from the API server itself: a cache may not
// show for a minute what a restored backup brought back, and whoever gets the address next would get the cluster's traffic. A restore
// between that look and the call is the one that nobody can see.

import { type DnsEndpoint, dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { formatRef } from "../../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../../core/errors.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { bearsMarkOf, ownerUidAnnotation } from "../../../../core/ownership.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import { publishedBy } from "../../core/dns/dns-endpoint.ts";
import type { CloudAction } from "../../core/model/lessons.ts";
import type { Addressed } from "../addressed.ts";
import type { FrontDoor } from "../front-door.ts";

type CloudExecutors = Executors<Addressed<CloudAction>>;
type Giving = Pick<Addressed<CloudAction>, "object" | "uid" | "because">;

export function keepNamed({ name }: Pick<FrontDoor, "name">, executors: CloudExecutors): CloudExecutors {
  return {
    ...executors,
    "delete-floating-ip": async (action, writer) => {
      await refuseIfNamed(`floating IP ${action.address}`, action.address, { action, feature: name, writer });
      await executors["delete-floating-ip"](action, writer);
    },
    "delete-load-balancer": async (action, writer) => {
      const { vipAddress } = action;
      if (vipAddress !== undefined)
        await refuseIfNamed(`VIP ${vipAddress}`, vipAddress, { action, feature: name, writer });
      await executors["delete-load-balancer"](action, writer);
    },
  };
}

interface Release {
  readonly action: Giving;
  readonly feature: string;
  readonly writer: Writer;
}

/** One that is not ours holds up no deletion of the object: perhaps it never goes. */
async function refuseIfNamed(what: string, address: string, { action, feature, writer }: Release): Promise<void> {
  const { object, uid, because } = action;
  const there = await existing(object, writer);
  if (there === undefined || !publishedBy(there).addresses.includes(address)) return;
  const isOurs = bearsMarkOf(feature, there) && there.metadata.annotations?.[ownerUidAnnotation] === uid;
  if (!isOurs && because === "EndpointDeleted") return;
  throw new MainstayError({
    reason: "WriteConflict",
    message: `${what}: DNSEndpoint ${formatRef(object)} names it, and did not when it was decided to give it back`,
    hint: "Nothing has to be done; it is looked at again.",
  });
}

async function existing(ref: Giving["object"], { kube, signal }: Writer): Promise<DnsEndpoint | undefined> {
  try {
    return await kube.get(dnsEndpoints, ref, { signal });
  } catch (error) {
    if (isKubeError(error, "NotFound", "KindNotServed")) return undefined;
    throw error;
  }
}
