// Reads one entry of a clouds.yaml that a person wrote, as a CloudConfig, or lists everything that is wrong with it. No message
// quotes a value of the file: a secret may stand in the wrong field. Takes the parsed document: reading YAML is the caller's business.

import { nearest } from "../../apis/text/nearest.ts";
import { type Checked, isRecord, type Problem, quote } from "../../apis/text/problem.ts";
import { present } from "../present.ts";
import type { CloudConfig } from "./cloud-config.ts";
import { authFields, type CloudFields, entryFields } from "./cloud-fields.ts";
import { parseCloudAuth } from "./parse-cloud-auth.ts";

export interface CloudSource {
  readonly cloudName: string;
  /** Overrides the entry's own. */
  readonly region?: string;
  /** PEM, from beside the clouds.yaml: paths inside it lead nowhere here. */
  readonly caCertificate?: string;
}

const files = ["cacert", "cert", "key", "client_cert", "client_key"];
const interfaces = ["public", "internal", "admin"] as const;
type Interface = (typeof interfaces)[number];

/** `document` is a whole clouds.yaml, parsed. */
export function parseCloud(document: unknown, source: CloudSource): Checked<CloudConfig> {
  const entry = findEntry(document, source.cloudName);
  if ("problem" in entry) return { ok: false, problems: [entry.problem] };
  const problems: Problem[] = [];
  const notes: string[] = [];
  const where = `clouds.${source.cloudName}`;
  const fields = entryFields(entry.value, where, problems);
  const within = authFields(entry.value, where, problems);
  const authUrl = within && parseAuthUrl(within, problems);
  const auth = within && parseCloudAuth({ entry: fields, auth: within }, problems);
  const chosen = parseInterface(fields, problems, notes);
  const verifyTls = parseVerify(entry.value, where, problems);
  const caCertificate = parseCertificate(source.caCertificate, problems);
  checkVersion(entry.value, where, problems);
  const region = source.region || fields.text("region_name");
  notes.push(...ignoredFiles(entry.value, where, caCertificate !== undefined));
  if (problems.length > 0 || authUrl === undefined || auth === undefined) return { ok: false, problems };
  if (!verifyTls) notes.push(`${where}.verify: certificates of this cloud are not verified`);
  return {
    ok: true,
    notes,
    value: {
      cloudName: source.cloudName,
      authUrl,
      auth,
      interface: chosen,
      verifyTls,
      ...present({ region, caCertificate }),
    },
  };
}

type Entry = { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: Problem };

function findEntry(document: unknown, cloudName: string): Entry {
  const clouds = isRecord(document) ? document["clouds"] : undefined;
  if (!isRecord(clouds)) {
    const message = clouds === undefined ? "it is not set" : "it is not a mapping";
    return {
      problem: { where: "clouds", message, hint: "Write a clouds.yaml: `clouds:` with one entry for each cloud." },
    };
  }
  const names = Object.keys(clouds);
  if (cloudName === "") {
    return { problem: { where: "cloudName", message: "it is empty", hint: `Name one of ${names.join(", ")}.` } };
  }
  const value = Object.hasOwn(clouds, cloudName) ? clouds[cloudName] : undefined;
  if (isRecord(value)) return { value };
  if (value !== undefined) {
    return {
      problem: { where: `clouds.${cloudName}`, message: "it is not a mapping", hint: "Give it `auth:` and the rest." },
    };
  }
  const near = nearest(cloudName, names);
  const hint =
    names.length === 0
      ? "Add the entry."
      : near === undefined
        ? `Name one of ${names.join(", ")}.`
        : `Did you mean ${near}? It has ${names.join(", ")}.`;
  return { problem: { where: "cloudName", message: `the clouds.yaml has no cloud ${quote(cloudName)}`, hint } };
}

/** Errors name it from then on, so nothing else may stand in it: no user, no query, no port that is no number. */
const plainAddress = /^https?:\/\/(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^\s?#]*)?$/iu;

function parseAuthUrl(auth: CloudFields, problems: Problem[]): string | undefined {
  const value = auth.text("auth_url");
  const where = auth.where("auth_url");
  if (value === undefined) {
    if (!auth.has("auth_url")) {
      problems.push({
        where,
        message: "it is not set",
        hint: "Give Keystone's address; profiles of vendors are not read.",
      });
    }
    return undefined;
  }
  if (value.includes("@")) {
    problems.push({ where, message: "it holds a user or a password", hint: "Put them into username and password." });
    return undefined;
  }
  if (!plainAddress.test(value)) {
    problems.push({ where, message: "it is not an address", hint: "Write it as https://host:port/v3." });
    return undefined;
  }
  return value.replace(/\/+$/, "");
}

function parseInterface(entry: CloudFields, problems: Problem[], notes: string[]): Interface {
  const [first, second] = ["interface", "endpoint_type"].map((name) => {
    const value = entry.text(name);
    if (value === undefined) return undefined;
    const known = interfaces.find((each) => value === each || value === `${each}URL`);
    if (known === undefined) {
      problems.push({
        where: entry.where(name),
        message: "it is not an interface",
        hint: `Choose ${interfaces.join(", ")}.`,
      });
    }
    return known;
  });
  if (first !== undefined && second !== undefined && first !== second) {
    notes.push(`${entry.where("interface")}: ${first} is taken; endpoint_type says ${second}`);
  }
  return first ?? second ?? "public";
}

function parseVerify(entry: Readonly<Record<string, unknown>>, where: string, problems: Problem[]): boolean {
  const value = entry["verify"];
  if (value === undefined || value === null || value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  problems.push({
    where: `${where}.verify`,
    message: "it is neither true nor false",
    hint: "Choose one.",
  });
  return true;
}

function parseCertificate(text: string | undefined, problems: Problem[]): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (!/-----BEGIN [A-Z ]*CERTIFICATE-----[\s\S]+-----END [A-Z ]*CERTIFICATE-----/.test(text)) {
    problems.push({ where: "cacert", message: "it holds no certificate", hint: "Put PEM certificates there." });
    return undefined;
  }
  if (/PRIVATE KEY-----/.test(text)) {
    problems.push({ where: "cacert", message: "it holds a private key", hint: "Leave only certificates there." });
    return undefined;
  }
  return text;
}

function checkVersion(entry: Readonly<Record<string, unknown>>, where: string, problems: Problem[]): void {
  const version = entry["identity_api_version"];
  if (version === undefined || version === null || version === 3) return;
  if (typeof version === "string" && /^v?3(\.\d+)?$/.test(version)) return;
  problems.push({
    where: `${where}.identity_api_version`,
    message: "it is not supported",
    hint: "Only version 3 of the identity API is.",
  });
}

function ignoredFiles(entry: Readonly<Record<string, unknown>>, where: string, given: boolean): readonly string[] {
  return files
    .filter((name) => name in entry && !(name === "cacert" && given))
    .map((name) => `${where}.${name}: file names are ignored, because such files do not exist here`);
}
