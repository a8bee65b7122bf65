// How an object works, as a picture: columns of things from the side that clients come from to the side that answers, and the ways between
// them. Jobs build pictures from objects; the dashboard draws any of them and the command line prints them as a tree. Types only.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import type { Health, ObjectId } from "./object-view.ts";

export interface Picture {
  /** What works for clients now, in one sentence. `health` is theirs: one way in is enough to be healthy. */
  readonly reach: { readonly health: Health; readonly words: string };
  /** From clients to what answers them. */
  readonly columns: readonly PictureColumn[];
  readonly edges: readonly PictureEdge[];
}

export interface PictureColumn {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
}

export interface PictureNode {
  /** Unique in its picture. */
  readonly id: string;
  readonly name: string;
  /** The name is an address or an identifier, which people compare letter by letter. */
  readonly exact?: boolean;
  readonly health: Health;
  /** How it is, in a few words. */
  readonly word: string;
  /** A detail, such as its zone. */
  readonly note?: string;
  /** What commands of a runbook need to name it, such as the id of a load balancer. */
  readonly ident?: string;
  /** The object that it stands for. */
  readonly object?: ObjectId;
}

/**
 * - `open`: clients get through
 * - `broken`: clients are sent this way and do not get through
 * - `closed`: nobody is sent this way, on purpose
 * - `unknown`: nobody could look
 */
export type EdgeState = "open" | "broken" | "closed" | "unknown";

/** Between nodes of two columns that stand side by side. */
export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly state: EdgeState;
}

/** What a picture is built from: nothing that a dashboard could not read. */
export interface PictureInput {
  readonly object: KubeObject;
  /** The object whose conditions report on it. */
  readonly report?: KubeObject | undefined;
  /** What its controllers read to plan for it, as far as the viewer may see it. */
  readonly related: readonly RelatedThing[];
}

export interface RelatedThing {
  readonly kind: Kind;
  readonly object: KubeObject;
}
