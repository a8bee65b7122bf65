// The string formats that the API server enforces on custom resources. Others are ignored, with a warning at the CRD.

import ipaddr from "ipaddr.js";
import { parseQuantity } from "./cel/quantity.ts";

type Check = (text: string) => boolean;

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;
const goDuration = /^[-+]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/;
const wordyDuration =
  /\d+\s*(ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)/i;
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const hostLabel = /^[a-z0-9\p{S}\p{L}]([a-z0-9\-\p{S}\p{L}]*[a-z0-9\p{S}\p{L}])?$/iu;
const topLabel = /^\p{L}{2,}$/u;

const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  cidr: isCidr,
  creditcard: (text) => /^\d{13,16}$/.test(text.replaceAll(/\D/g, "")),
  date: isDate,
  datetime: isDateTime,
  duration: (text) => text === "0" || goDuration.test(text) || wordyDuration.test(text),
  email: matching(/^[^\s@<>]+@[^\s@<>]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: (text) => ipaddr.IPv4.isValidFourPartDecimal(text),
  ipv6: (text) => ipaddr.IPv6.isValid(text) && !text.includes("%"),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8sshortname: (text) => text.length <= 63 && shortName.test(text),
  k8slongname: (text) => text.length <= 253 && text.split(".").every((part) => shortName.test(part)),
  mac: matching(
    /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{2}[:-]){7}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/,
  ),
  // Not for CRDs: built-in types that check themselves.
  microtime: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[-+]\d\d:\d\d)$/),
  quantity: (text) => parseQuantity(text) !== undefined,
  password: () => true,
  rgbcolor: matching(/^rgb\(\s*(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])\s*(,\s*(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])\s*){2}\)$/),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  uri: isUri,
  uuid: matching(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
};

export function hasFormat(format: string, text: string): boolean {
  return checks[normalized(format)]?.(text) ?? true;
}

function normalized(format: string): string {
  return format.replaceAll("-", "");
}

function matching(pattern: RegExp): Check {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = date.exec(text) ?? [];
  const inMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return year !== "" && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= inMonth;
}

function isDateTime(text: string): boolean {
  const [day = "", clock = ""] = text.toLowerCase().split("t");
  const [, hours = "", minutes = "", seconds = ""] = time.exec(clock) ?? [];
  return isDate(day) && hours !== "" && hours <= "23" && minutes <= "59" && seconds <= "59";
}

/** One label, or several that end in a word of letters. */
function isHostname(text: string): boolean {
  const labels = text.split(".");
  const top = labels.at(-1) ?? "";
  const isWellFormed = labels.every((label) => label.length <= 63 && hostLabel.test(label));
  return text.length <= 255 && isWellFormed && (labels.length === 1 || topLabel.test(top));
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return Number(bits) <= 32;
  return ipaddr.IPv6.isValid(address) && Number(bits) <= 128;
}

/** As a request line would carry it: absolute, or a rooted path. */
function isUri(text: string): boolean {
  return text.startsWith("/") || URL.canParse(text);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/i.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, i) => total + (10 - i) * (digit.toUpperCase() === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}
