import { describe, expect, it } from "vitest";
import type { KubeErrorCode } from "../../core/kube-error.ts";
import { DeadlineExceeded } from "../http/deadline.ts";
import { errorWithoutAnswer } from "./connection-errors.ts";
import { errorFromAnswer, errorFromEvent } from "./errors.ts";

const subject = { verb: "patch", resource: "services", name: "shop/web" };

function answered(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return errorFromAnswer(subject, { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) });
}

function status(reason: string, details?: unknown) {
  return { kind: "Status", status: "Failure", message: `because ${reason}`, reason, details };
}

describe("an answer with an error status", () => {
  const table: readonly (readonly [string, number, unknown, KubeErrorCode])[] = [
    ["an absent object", 404, status("NotFound", { name: "web", kind: "services" }), "NotFound"],
    ["a path nobody serves", 404, "404 page not found\n", "KindNotServed"],
    ["an unknown resource, as a Status", 404, status("NotFound", {}), "KindNotServed"],
    ["a stale write", 409, status("Conflict", { name: "web" }), "Conflict"],
    ["a taken name", 409, status("AlreadyExists", { name: "web" }), "AlreadyExists"],
    ["missing credentials", 401, status("Unauthorized"), "Unauthorized"],
    ["missing rights", 403, status("Forbidden"), "Forbidden"],
    ["a broken rule", 422, status("Invalid"), "Invalid"],
    ["nonsense", 400, status("BadRequest"), "BadRequest"],
    ["an unknown method", 405, status("MethodNotAllowed"), "BadRequest"],
    ["an unknown format", 415, status("UnsupportedMediaType"), "BadRequest"],
    ["too large a body", 413, status("RequestEntityTooLarge"), "BadRequest"],
    ["a forgotten version", 410, status("Expired"), "Gone"],
    ["a forgotten version, the old way", 410, status("Gone"), "Gone"],
    ["too many requests", 429, status("TooManyRequests"), "TooManyRequests"],
    ["a slow server", 504, status("Timeout"), "Timeout"],
    ["a slow gateway", 504, "<html>", "Timeout"],
    ["a server that asks for another try", 500, status("ServerTimeout"), "Timeout"],
    ["a broken server", 500, status("InternalError"), "ServerError"],
    ["a server that starts", 503, status("ServiceUnavailable"), "ServerError"],
    ["a broken gateway", 502, "", "ServerError"],
  ];

  it.each(table)("becomes its code for %s", (_, httpStatus, body, code) => {
    expect(answered(httpStatus, body)).toMatchObject({ code, status: httpStatus });
  });

  it("names verb, kind and object before the server's words", () => {
    expect(answered(409, status("Conflict")).message).toBe("patch services shop/web: because Conflict");
  });

  it("carries the causes of an invalid object, field by field", () => {
    const causes = [{ reason: "FieldValueInvalid", message: "must be positive", field: "spec.ports[0].port" }];
    expect(answered(422, status("Invalid", { causes })).causes).toEqual(causes);
  });

  it("carries how long to wait, from the header or else from the details", () => {
    expect(answered(429, "", { "retry-after": "3" }).retryAfterMs).toBe(3_000);
    expect(answered(503, status("ServiceUnavailable", { retryAfterSeconds: 2 })).retryAfterMs).toBe(2_000);
    expect(answered(429, "", { "retry-after": "soon" }).retryAfterMs).toBeUndefined();
  });

  it("carries the token with which an expired list can go on", () => {
    const body = { ...status("Expired"), metadata: { continue: "go-on" } };
    expect(answered(410, body)).toMatchObject({ code: "Gone", continueToken: "go-on" });
  });

  it("survives a Status whose fields have the wrong types", () => {
    const body = { kind: "Status", message: 7, reason: [], details: "none", code: "x" };
    expect(answered(500, body)).toMatchObject({ code: "ServerError", message: expect.stringContaining("shop/web") });
  });

  it("keeps tokens and passwords out of the message", () => {
    const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
    const said = { ...status("BadRequest"), message: `Authorization: Bearer abc.def, ${jwt}, https://jane:pw12@proxy` };
    const { message } = answered(400, said);
    for (const secret of ["abc.def", jwt, "pw12"]) expect(message).not.toContain(secret);
  });

  it("quotes no more than a line of what is no Status", () => {
    expect(answered(502, `${"x".repeat(5_000)}\nmore`).message.length).toBeLessThan(300);
  });
});

describe("an error within a watch", () => {
  it("is Gone when history has been forgotten", () => {
    const object = { ...status("Expired"), code: 410 };
    expect(errorFromEvent(subject, object)).toMatchObject({ code: "Gone", status: 410 });
  });

  it("is a server error when it carries nothing", () => {
    expect(errorFromEvent(subject, undefined)).toMatchObject({ code: "ServerError", status: 500 });
  });
});

describe("a failure without an answer", () => {
  const failed = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });
  const read = { sent: true, write: false };

  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"])(
    "is Unreachable for %s and says what to do",
    (code) => {
      expect(errorWithoutAnswer(subject, failed(code), read)).toMatchObject({
        code: "Unreachable",
        message: `patch services shop/web: failed with ${code}`,
        hint: expect.any(String),
      });
    },
  );

  it("finds the code of a connection that was tried on several addresses", () => {
    const error = new AggregateError([failed("ECONNREFUSED"), failed("ECONNREFUSED")], "");
    expect(errorWithoutAnswer(subject, error, read)).toMatchObject({
      code: "Unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
      hint: expect.stringContaining("API server runs"),
    });
  });

  it.each([
    [
      "write EPROTO 40A7:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/record.c:332:\n",
      "EPROTO",
      "patch services shop/web: TLS failed: wrong version number (EPROTO)",
    ],
    [
      "error:0680009B:asn1 encoding routines::too long\nerror:0688010A:asn1 encoding routines::nested asn1 error",
      "ERR_OSSL_ASN1_TOO_LONG",
      "patch services shop/web: TLS failed: too long (ERR_OSSL_ASN1_TOO_LONG)",
    ],
  ])("says in one line what OpenSSL dumps in several", (dump, code, message) => {
    const error = Object.assign(new Error(dump), { code });
    expect(errorWithoutAnswer(subject, error, read)).toMatchObject({ message, hint: expect.any(String) });
  });

  it("is Timeout at the deadline, and says whether a write may have happened", () => {
    const struck = new DeadlineExceeded(500);
    const sent = errorWithoutAnswer(subject, struck, { sent: true, write: true });
    expect(sent).toMatchObject({ code: "Timeout", message: expect.stringContaining("may or may not") });
    const unsent = errorWithoutAnswer(subject, struck, { sent: false, write: true });
    expect(unsent).toMatchObject({ code: "Timeout", hint: "The request was not sent." });
  });

  it("is Timeout when the caller aborted the call", () => {
    const signal = AbortSignal.abort();
    expect(errorWithoutAnswer(subject, signal.reason, { ...read, signal })).toMatchObject({ code: "Timeout" });
  });
});
