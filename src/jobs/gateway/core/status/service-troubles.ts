// What is wrong for single Services, and whose fault it is not: each trouble names one Service, and only that one is told.

import type { Word } from "../../../../core/reasons.ts";
import type { RefusalWord } from "../allocation/claim.ts";
import type { GatewayAction } from "../model/actions.ts";
import { fieldNotes } from "../services/field-support.ts";
import type { ServiceNote } from "../situation/pool-services.ts";
import type { Situation } from "../situation/situation.ts";

export interface ServiceTrouble {
  readonly service: string;
  readonly reason: Word;
  readonly message: string;
  /** It keeps the Service from getting what it asks for. Others are news. */
  readonly isRefused: boolean;
}

/** An action that failed, or is held back because it did. */
export interface FailedAction {
  readonly action: GatewayAction;
  readonly reason: Word;
  readonly message: string;
}

const reasonOf = {
  PoolExhausted: "PoolExhausted",
  FamilyNotInPool: "PoolExhausted",
  AddressLimitReached: "PoolExhausted",
  NamespaceLimitReached: "PoolExhausted",
  RequestedAddressTaken: "RequestedAddressUnavailable",
  RequestedAddressOutsidePool: "RequestedAddressUnavailable",
  RequestedFamilyNotAsked: "RequestedAddressUnavailable",
} as const satisfies Readonly<Record<RefusalWord, Word>>;

export function serviceTroubles(
  situation: Situation | undefined,
  notes: readonly ServiceNote[],
  failures: readonly FailedAction[],
): readonly ServiceTrouble[] {
  if (situation === undefined) return [];
  const { allocation, targets, spec } = situation;
  return [
    ...allocation.refusals.map(({ service, why, message, hint }) => ({
      service,
      reason: reasonOf[why],
      message: `${message}. ${hint}`,
      isRefused: true,
    })),
    ...failures.flatMap(({ action, reason, message }) =>
      servicesOf(action, situation).map((service) => ({ service, reason, message, isRefused: true })),
    ),
    ...notes.map((note) => ({ ...note, isRefused: true })),
    ...allocation.notices.map(({ service, message }) => news(service, "ServiceAddressChanged", message)),
    ...situation.documentNotes.map(({ service, message }) => news(service, "ServiceFieldIgnored", message)),
    ...targets.flatMap(({ served: { key, service, ask, record } }) => [
      ...ask.warnings.map((warning) => news(key, "ServiceFieldIgnored", `${key}: ${warning}`)),
      ...fieldNotes(service, spec.backendLayer ?? "NodePort").map(({ field, because }) =>
        news(key, "ServiceFieldIgnored", `${key}: ${field}: ${because}`),
      ),
      ...(record.disagreement === undefined
        ? []
        : [
            news(
              key,
              "ServiceWrittenByOthers",
              `${key}: ch-k8s-lbaas recorded ${record.disagreement.theirs}, Mainstay ${record.disagreement.ours}; stop one of them`,
            ),
          ]),
    ]),
  ];
}

function news(service: string, reason: Word, message: string): ServiceTrouble {
  return { service, reason, message, isRefused: false };
}

/** Who suffers when it fails. */
function servicesOf(action: GatewayAction, { targets }: Situation): readonly string[] {
  switch (action.kind) {
    case "create-port":
    case "create-floating-ip":
    case "attach-floating-ip":
      return action.services;
    case "set-address-pairs":
      return targets
        .filter(({ known }) => known.some(({ address }) => action.add.includes(address)))
        .map(({ served }) => served.key);
    default:
      return [];
  }
}
