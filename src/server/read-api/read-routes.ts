// The read requests: objects, log, manager, runbook pages. Each answer holds only what its viewer may see.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { formatRef, resourceName } from "../../apis/kube/kube-object.ts";
import { byText } from "../../core/by-text.ts";
import type { LogRecord } from "../../core/plan-record.ts";
import { present } from "../../core/present.ts";
import { allReasons, factsOf, isReason } from "../../core/reasons.ts";
import { ApiFailure } from "../api-failure.ts";
import { apiRoot, type ManagerInfo, type RunbooksAnswer, routes, type Session, type YamlAnswer } from "../contract.ts";
import type { ReadApiOptions } from "./read-api.ts";
import { requireSomeRight, type ViewerWorld } from "./viewer-world.ts";

const logQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z.string().max(100).optional(),
  resource: z.string().max(300).optional(),
  namespace: z.string().max(300).optional(),
  name: z.string().max(300).optional(),
});
const objectPath = z.object({ resource: z.string(), namespace: z.string().optional(), name: z.string() });

export function addReading(
  app: FastifyInstance,
  options: ReadApiOptions & { readonly manager: () => ManagerInfo },
  worldOf: (request: FastifyRequest) => Promise<ViewerWorld>,
): void {
  const { access, demo, version } = options;
  app.get(`${apiRoot}/session`, async (request): Promise<Session> => {
    if (access.tokenNeeded && request.headers.authorization === undefined)
      return { tokenNeeded: true, demo, version: "" };
    const { name } = await access.viewerOf(request.headers.authorization);
    const knows = (await (await worldOf(request)).rights()) !== "";
    return { tokenNeeded: access.tokenNeeded, user: name, demo, version: knows ? version : "" };
  });
  const entitled = async (request: FastifyRequest): Promise<ViewerWorld> => {
    const world = await worldOf(request);
    await requireSomeRight(world);
    return world;
  };
  app.get(`${apiRoot}/objects`, async (request) => (await entitled(request)).objects());
  const detail = async (request: FastifyRequest) => {
    const { resource, namespace, name } = objectPath.parse(request.params);
    const found = await (await worldOf(request)).detail(resource, {
      name,
      ...present({ namespace }),
    });
    if (found === undefined) throw notFound();
    return found;
  };
  app.get(`${apiRoot}/objects/:resource/:name`, detail);
  app.get(`${apiRoot}/objects/:resource/:namespace/:name`, detail);
  const yaml = async (request: FastifyRequest): Promise<YamlAnswer> => {
    const { resource, namespace, name } = objectPath.parse(request.params);
    const found = await (await worldOf(request)).yaml(resource, { name, ...present({ namespace }) });
    if (found === undefined) throw notFound();
    return { yaml: found };
  };
  app.get(`${apiRoot}/yaml/:resource/:name`, yaml);
  app.get(`${apiRoot}/yaml/:resource/:namespace/:name`, yaml);
  app.get(`${apiRoot}/plan-log`, async (request) => {
    const world = await entitled(request);
    const { limit, before, ...about } = logQuery.parse(request.query);
    return world.log({ limit, about: matching(about), ...present({ before }) });
  });
  app.get(`${apiRoot}/manager`, async (request) => {
    const world = await entitled(request);
    return await world.ofManager(options.manager());
  });
  app.get(routes.runbooks, (): RunbooksAnswer => {
    const jobOf = (reason: string) => options.jobs?.find(({ reasons }) => reason in reasons)?.name;
    const titles = [...allReasons()].map(([reason, { summary, severity }]) => ({
      reason,
      summary,
      severity,
      ...present({ job: jobOf(reason) }),
    }));
    return { runbooks: titles.toSorted(byText(({ reason }) => reason)) };
  });
  app.get<{ Params: { reason: string } }>(`${apiRoot}/runbooks/:reason`, async ({ params: { reason } }) => {
    const markdown = isReason(reason) ? await options.runbook?.(reason) : undefined;
    if (!isReason(reason) || markdown === undefined) throw new ApiFailure("not-found", "there is no such page");
    const { summary, severity } = factsOf(reason);
    return { reason, summary, severity, markdown };
  });
}

/** The same answer for both, so that nobody learns of an object they may not see. */
function notFound(): ApiFailure {
  return new ApiFailure("not-found", "there is no such object, or you may not see it");
}

function matching({
  resource,
  namespace,
  name,
}: {
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}) {
  return (record: LogRecord): boolean =>
    (resource === undefined || resourceName(record.kind) === resource) &&
    (namespace === undefined || record.key.namespace === namespace) &&
    (name === undefined || formatRef(record.key).split("/").at(-1) === name);
}
