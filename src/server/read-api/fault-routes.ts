// Faults over HTTP: the only thing that can be changed through this API, and only in a demonstration.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiFailure } from "../api-failure.ts";
import { apiRoot, type FaultsAnswer } from "../contract.ts";
import type { FaultControl } from "./fault-control.ts";
import type { ReadApiOptions } from "./read-api.ts";
import { requireSomeRight, type ViewerWorld } from "./viewer-world.ts";

const faultBody = z.strictObject({ parameters: z.record(z.string(), z.number()).optional() });

export function addFaults(
  app: FastifyInstance,
  { faults }: ReadApiOptions,
  worldOf: (request: FastifyRequest) => Promise<ViewerWorld>,
): void {
  app.get(`${apiRoot}/faults`, async (request) => {
    await requireSomeRight(await worldOf(request));
    return faultsAnswer(faults);
  });
  const change =
    (act: (control: FaultControl, id: string, body: unknown) => ReturnType<FaultControl["start"]>) =>
    async (request: FastifyRequest<{ Params: { id: string } }>) => {
      await requireSomeRight(await worldOf(request));
      if (faults === undefined) throw new ApiFailure("read-only", "nothing can be changed here");
      const changed = act(faults, request.params.id, request.body);
      if ("problem" in changed) throw new ApiFailure("bad-request", changed.problem);
      return changed;
    };
  const start = change((control, id, body) => control.start(id, faultBody.parse(body ?? {}).parameters ?? {}));
  app.post(`${apiRoot}/faults/:id`, start);
  app.delete(
    `${apiRoot}/faults/:id`,
    change((control, id) => control.stop(id)),
  );
}

export function faultsAnswer(faults: FaultControl | undefined): FaultsAnswer {
  return { enabled: faults !== undefined, faults: faults?.list() ?? [] };
}
