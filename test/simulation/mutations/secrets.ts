// Bugs that show a credential: one for each way out of the system, and one for each way to write it.

import { MainstayError } from "../../../src/core/errors.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import type { Action } from "../../../src/core/plan.ts";
import type { Report, ReportInput } from "../../../src/engine/feature.ts";
import { secretMarkerOf } from "../../../src/sim/checkers/secret-marker.ts";
import type { CloudLink } from "../../../src/sim/specimen/cloud-link.ts";
import { changingSpecimen, type Mutation } from "./mutation.ts";

const secret = secretMarkerOf("mutation/é");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const checker = "no-secret-shown";

/** What hangs on a log line, by how it hangs there. */
const logged: Readonly<Record<string, unknown>> = {
  cause: new Error("refused", { cause: new Error("again", { cause: new Error(secret) }) }),
  "one-of-many": new AggregateError([new Error("first"), new Error(secret)], "all failed"),
  stack: Object.assign(new Error("refused"), { stack: `Error: refused\n    at connect (${secret})` }),
  field: Object.assign(new Error("refused"), { options: { headers: { authorization: secret } } }),
  map: new Map([["headers", new Map([["authorization", secret]])]]),
  set: new Set([secret]),
  bytes: new TextEncoder().encode(`password=${secret}`),
  base64: { authorization: `Basic ${base64(`me:${secret}`)}` },
  base64url: { jwt: Buffer.from(`{"k":"${secret}"}`).toString("base64url") },
  "percent-encoded": { url: `/login?${[...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")}` },
  "json-escaped": { text: secret.replaceAll(/[A-Z]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`) },
};

export const secrets: readonly Mutation[] = [
  ...Object.entries(logged).map(
    ([how, error]): Mutation => ({
      name: `secret-in-log-${how}`,
      bug: `a log line carries a credential: ${how}`,
      checker,
      sees: /logged/,
      caughtAt: 1,
      overrides: () => ({
        features: (features, _process, log) => {
          log.with({ controller: "x" }).debug("connected", { error });
          return features;
        },
      }),
    }),
  ),
  {
    name: "secret-in-event",
    bug: "an event repeats a credential",
    checker,
    sees: /events/,
    caughtAt: 2,
    ...reporting((report) => ({ ...report, events: [{ reason: "AsExpected", message: `made with ${secret}` }] })),
  },
  {
    name: "secret-in-condition",
    bug: "a condition repeats a credential",
    checker,
    sees: /PATCH specimens\/.*\/status/,
    caughtAt: 2,
    ...reporting((report) => withCondition(report, `made with ${secret}`)),
  },
  {
    name: "secret-in-status",
    bug: "the status holds a credential in base64",
    checker,
    sees: /PATCH specimens\/.*\/status.*base64/,
    caughtAt: 2,
    ...reporting((report) => ({
      ...report,
      statuses: report.statuses.map((each) => ({
        ...each,
        status: { readyLocations: [base64(`${JSON.stringify(each.ref)} ${secret}`)] },
      })),
    })),
  },
  {
    name: "secret-in-child",
    bug: "a child is annotated with the address of the cloud, credential included",
    checker,
    sees: /POST configmaps/,
    caughtAt: 2,
    overrides: () => ({
      kube: (kube) => ({
        ...kube,
        create: (kind, object, options) => {
          if (kind.plural !== "configmaps") return kube.create(kind, object, options);
          const annotations = { ...object.metadata.annotations, "sim.mainstay.dev/url": `https://me:${secret}@cloud` };
          return kube.create(kind, { ...object, metadata: { ...object.metadata, annotations } }, options);
        },
      }),
    }),
  },
  {
    name: "secret-in-error",
    bug: "an error repeats what the cloud said, credential included",
    checker,
    sees: /an error of cloud/,
    caughtAt: 12,
    specimen: () => ({
      cloud: (link, process) =>
        failing(link, ({ reason, message }) => {
          return new MainstayError({ reason, message: `${message} for ${secretMarkerOf(`cloud-${process.name}`)}` });
        }),
    }),
  },
  {
    name: "secret-in-cause",
    bug: "an error keeps what the cloud said as its cause",
    checker,
    sees: /an error of cloud/,
    caughtAt: 12,
    specimen: () => ({
      cloud: (link, process) =>
        failing(link, ({ reason, message }) => {
          const cause = { response: { request: Buffer.from(secretMarkerOf(`cloud-${process.name}`)) } };
          return new MainstayError({ reason, message, cause: new AggregateError([new Error("x", { cause })]) });
        }),
    }),
  },
  {
    name: "secret-in-action",
    bug: "an action carries a credential under a harmless name, and its words repeat it",
    checker,
    caughtAt: 2,
    ...changingSpecimen((feature) => ({
      plan: (observed, nowMs) => {
        const plan = feature.plan(observed, nowMs);
        return { ...plan, actions: plan.actions.map((action) => ({ ...action, account: secret })) };
      },
    })),
  },
  {
    name: "secret-in-answer",
    bug: "the read API describes a kind with a credential in the words",
    checker,
    sees: /\/api\/v1\/objects\/.* shows/,
    caughtAt: 3,
    ...changingSpecimen((feature) => ({ shows: [{ kind: feature.root, what: `Made with ${secret}.` }] })),
  },
  {
    name: "secret-in-command",
    bug: "the command line prints an error of the client that repeats its token",
    checker,
    sees: /mainstay .* shows/,
    caughtAt: 3,
    overrides: () => ({
      people: (kube) => ({
        ...kube,
        list: () => {
          const message = `refused: authorization: Bearer ${encodeURIComponent(base64(secret))}`;
          return Promise.reject(new KubeError({ code: "Unauthorized", message }));
        },
      }),
    }),
  },
];

function reporting(change: (report: Report) => Report): Pick<Mutation, "overrides"> {
  return changingSpecimen((feature) => ({
    report: (input: ReportInput<unknown, Action>) => change(feature.report?.(input) ?? { statuses: [] }),
  }));
}

function withCondition(report: Report, message: string): Report {
  const conditions = [{ type: "Seen", status: "True" as const, reason: "AsExpected", message }];
  return { ...report, statuses: report.statuses.map((status) => ({ ...status, conditions })) };
}

function failing(link: CloudLink, change: (error: MainstayError) => MainstayError): CloudLink {
  const leaking = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw error instanceof MainstayError ? change(error) : error;
    }
  };
  return {
    list: (location, options) => link.list(location, options),
    create: (location, owner, options) => leaking(link.create(location, owner, options)),
    delete: (location, id, options) => leaking(link.delete(location, id, options)),
  };
}
