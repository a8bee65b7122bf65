// What an agent answers to its controller. A gateway that cannot carry one forwarding carries the others, and says which one and why.

import type { DocumentVersion } from "./document.ts";

export interface ApplyAnswer {
  /** What the gateway carries now. */
  readonly carries: DocumentVersion;
  readonly problems: readonly CarryProblem[];
}

/** A part of a document that a gateway does not carry as asked. It keeps the last version that was good, or is left out. */
export interface CarryProblem {
  /** A forwarding's key, or an address. */
  readonly subject: string;
  /** `namespace/name` of the Service, where there is one. */
  readonly service?: string;
  readonly message: string;
}

export interface AgentStatus {
  readonly name: string;
  /** Absent: no document was ever applied. */
  readonly carries?: DocumentVersion;
  readonly problems: readonly CarryProblem[];
  /** Its rules are current and in the kernel: it may lead. */
  readonly ready: boolean;
  /** Why it is not ready, for people. */
  readonly unready?: string;
  readonly keepalived: "running" | "stopped" | "unknown";
  readonly groups: readonly GroupStatus[];
  /** What of its machine it knows; absent from agents before there was such a field. */
  readonly machine?: MachineStatus;
}

export interface MachineStatus {
  /** RFC 3339: its clock. */
  readonly time: string;
  /** Connections that its kernel tracks, of all programs. */
  readonly connections?: { readonly tracked: number; readonly limit?: number };
  /** Settings of its kernel, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface GroupStatus {
  readonly name: string;
  readonly role: "master" | "backup" | "fault" | "unknown";
  /** RFC 3339. */
  readonly since?: string;
}

export interface AgentCapabilities {
  readonly agent: string;
  readonly nft: string;
  readonly keepalived: string;
  readonly kernel: string;
  readonly features: readonly string[];
}
