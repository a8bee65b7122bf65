// Brings rules and keepalived from one document to the next, in the order of core/apply/document-during.ts. When a step fails, both go
// back to the document of before. A script that failed may have been applied all the same (its answer may be lost): from then on the
// rules count as unknown, and the next script replaces them whole.

import { MainstayError } from "../../../../core/errors.ts";
import type { Keepalived } from "../../../../ports/keepalived.ts";
import type { Nft } from "../../../../ports/nft.ts";
import { documentDuring } from "../../core/apply/document-during.ts";
import { type KeepalivedSettings, renderKeepalived } from "../../core/keepalived/render-keepalived.ts";
import { emptied, type GatewayDocument } from "../../core/model/document.ts";
import type { LocalGateway } from "../../core/model/local-gateway.ts";
import type { CarryPart } from "../carried.ts";
import type { Dataplane } from "../dataplane.ts";

export interface CarrierParts {
  readonly local: LocalGateway;
  readonly settings: KeepalivedSettings;
  readonly dataplane: Dataplane;
  readonly nft: Nft;
  readonly keepalived: Keepalived;
}

export type CarryResult = { readonly ok: true } | CarryFailure;

export interface CarryFailure {
  readonly ok: false;
  readonly part: CarryPart;
  readonly message: string;
}

export class Carrier {
  readonly #parts: CarrierParts;
  /** What the kernel holds; undefined when that is not known. */
  #rules: GatewayDocument | undefined;
  /** What keepalived was last given; undefined when that is not known. */
  #configuration: string | undefined;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  /** Rules and keepalived are as they were last told to be. */
  get isSure(): boolean {
    return this.#rules !== undefined && this.#configuration !== undefined;
  }

  /** Somebody else has changed the rules, or may have. */
  doubtRules(): void {
    this.#rules = undefined;
  }

  /** From `before`, which is undefined when there was none, to `after`. Nothing is touched until both programs have agreed. */
  async carry(before: GatewayDocument | undefined, after: GatewayDocument): Promise<CarryResult> {
    const from = before ?? emptied(after);
    try {
      await this.#checkAnew(from, after);
    } catch (error) {
      return failure(error);
    }
    const result = await this.move(from, after);
    if (!result.ok) await this.move(after, from);
    return result;
  }

  /** Without asking and without a way back. Stops at the first step that fails. */
  async move(before: GatewayDocument, after: GatewayDocument): Promise<CarryResult> {
    try {
      const during = documentDuring(before, after);
      await this.#load(during);
      await this.#configure(this.#configurationOf(after));
      await this.#load(after);
      return { ok: true };
    } catch (error) {
      return failure(error);
    }
  }

  /** A change that does not fit: the rules may have been removed a moment ago, so it is tried as a full load. */
  async #checkAnew(before: GatewayDocument, after: GatewayDocument): Promise<void> {
    const known = this.#rules;
    try {
      await this.#check(before, after);
    } catch (error) {
      if (known === undefined || !(error instanceof PartFailure) || error.part !== "nftables") throw error;
      this.#rules = undefined;
      await this.#check(before, after).catch(() => {
        this.#rules = known;
        throw error;
      });
    }
  }

  async #check(before: GatewayDocument, after: GatewayDocument): Promise<void> {
    const { nft, keepalived } = this.#parts;
    // The last step can be tried only where it is the first one that does something.
    const script = this.#scriptTo(documentDuring(before, after)) ?? this.#scriptTo(after);
    if (script !== undefined) await said("nftables", nft.check(script));
    const configuration = this.#configurationOf(after);
    if (configuration !== this.#configuration) await said("keepalived", keepalived.check(configuration));
  }

  async #load(document: GatewayDocument): Promise<void> {
    const script = this.#scriptTo(document);
    if (script !== undefined) {
      this.#rules = undefined;
      await said("nftables", this.#parts.nft.apply(script));
    }
    this.#rules = document;
  }

  async #configure(configuration: string): Promise<void> {
    if (configuration === this.#configuration) return;
    this.#configuration = undefined;
    await said("keepalived", this.#parts.keepalived.use(configuration));
    this.#configuration = configuration;
  }

  #scriptTo(document: GatewayDocument): string | undefined {
    const { dataplane, local } = this.#parts;
    if (this.#rules === undefined) return dataplane.renderRuleset(document, local);
    return this.#rules === document ? undefined : dataplane.renderChange(this.#rules, document, local);
  }

  #configurationOf(document: GatewayDocument): string {
    return renderKeepalived(document, this.#parts.local, this.#parts.settings);
  }
}

class PartFailure extends Error {
  readonly part: CarryPart;

  constructor(part: CarryPart, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.part = part;
  }
}

async function said(part: CarryPart, answer: Promise<void>): Promise<void> {
  await answer.catch((error: unknown) => {
    throw new PartFailure(part, error);
  });
}

function failure(error: unknown): CarryFailure {
  if (error instanceof PartFailure) return { ok: false, part: error.part, message: error.message };
  // Rendering threw: a promise of ours is broken, and the document counts as one that the rules cannot carry.
  const message = error instanceof MainstayError ? error.message : "the document could not be turned into rules";
  return { ok: false, part: "nftables", message };
}
