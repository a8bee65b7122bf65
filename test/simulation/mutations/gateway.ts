// Deliberate bugs of the gateway job: in what its controller sees and plans, and on its way to agents and to the cloud.

import type { Plan } from "../../../src/core/plan.ts";
import type { Feature } from "../../../src/engine/feature.ts";
import { addressesAnnotation } from "../../../src/jobs/gateway/apis/annotations.ts";
import type { Service } from "../../../src/jobs/gateway/apis/kube-objects.ts";
import { serviceKind } from "../../../src/jobs/gateway/controller/observe.ts";
import type { GatewayDocument } from "../../../src/jobs/gateway/core/model/document.ts";
import type { GatewayObserved, PoolObserved } from "../../../src/jobs/gateway/core/model/observed.ts";
import type { GatewayOverrides } from "../../../src/jobs/gateway/sim/gateway-job.ts";
import type { FeedRequest, GatewayFeed } from "../../../src/ports/gateway-feed.ts";
import type { OpenStack } from "../../../src/ports/openstack.ts";
import { changing, type Mutation } from "./mutation.ts";

export const gateway: readonly Mutation[] = [
  {
    name: "published-too-early",
    bug: "a gateway that was sent its document is believed to carry it, whatever became of it",
    checker: "published-is-carried",
    caughtAt: 1,
    ...seeing(({ previous, ...observed }) => {
      if (previous === undefined) return observed;
      return { ...observed, previous, gateways: observed.gateways.map((one) => believing(one, previous)) };
    }),
    ...sending(async (request, feed) => {
      if (request.method !== "PUT" || request.url.endsWith("gw1")) return await feed.send(request);
      return { kind: "silent", message: "no answer" };
    }),
  },
  {
    name: "last-service-forgotten",
    bug: "one Service is missing in what is observed after a change of leaders",
    checker: "carried-stays",
    caughtAt: 57,
    ...seeing((observed) =>
      observed.previous?.version.epoch === observed.epoch
        ? observed
        : { ...observed, services: observed.services.slice(1) },
    ),
  },
  {
    name: "silent-gateway-not-fenced",
    bug: "a gateway that does not answer is taken for one that carries nothing",
    checker: "freed-before-deleted",
    caughtAt: 73,
    ...seeing((observed) => ({ ...observed, gateways: observed.gateways.map(withoutFence) })),
  },
  {
    name: "pairs-overwritten",
    bug: "address pairs of a gateway's port are replaced, those of others with them",
    checker: "gateway-foreign-untouched",
    sees: /pair/,
    caughtAt: 1,
    ...inCloud((openStack) => ({
      project: (config) => {
        const project = openStack.project(config);
        const { neutron } = project;
        return {
          ...project,
          neutron: {
            ...neutron,
            updatePort: (id, change, options) => {
              const allowedAddressPairs = change.allowedAddressPairs?.filter(({ address }) => address !== "10.0.1.250");
              return neutron.updatePort(
                id,
                allowedAddressPairs === undefined ? change : { allowedAddressPairs },
                options,
              );
            },
          },
        };
      },
    })),
  },
  {
    name: "entries-overwritten",
    bug: "a Service's status is written without the entries of others",
    checker: "gateway-foreign-untouched",
    sees: /entry/,
    caughtAt: 49,
    ...planning((plan) => ({
      ...plan,
      actions: plan.actions.map((action) =>
        action.kind === "publish-ingress" && "addresses" in action
          ? { ...action, ingress: (action.addresses as readonly string[]).map((ip) => ({ ip })) }
          : action,
      ),
    })),
  },
  {
    name: "router-id-changes",
    bug: "a group gets another virtual router id with every document",
    checker: "one-announcer",
    caughtAt: 1,
    ...seeing((observed) => {
      const { pool, previous } = observed;
      const virtualRouterIDBase = 50 + 10 * ((previous?.version.generation ?? 0) % 2);
      const vrrp = { ...pool.spec?.vrrp, virtualRouterIDBase };
      return { ...observed, pool: { ...pool, spec: { ...pool.spec, vrrp } } };
    }),
  },
  {
    name: "request-made-up",
    bug: "a Service that has its address is seen to ask for another one",
    checker: "service-address-stays",
    caughtAt: 49,
    ...seeing((observed) => {
      if ((observed.previous?.version.generation ?? 0) < 3) return observed;
      const asked = observed.pool.spec?.addresses?.static === undefined ? "10.0.1.200" : "192.0.2.55";
      const services = observed.services.map((service) => asking(service, asked));
      return { ...observed, services };
    }),
  },
  {
    name: "trouble-told-to-all",
    bug: "what is wrong with one Service is said on its neighbour",
    checker: "trouble-is-its-own",
    caughtAt: 9,
    ...changingGateway((feature) => ({
      report: (input) => {
        const report = feature.report?.(input) ?? { statuses: [] };
        const statuses = report.statuses.map((one) =>
          one.kind.kind === serviceKind.kind ? { ...one, ref: { ...one.ref, name: "web" } } : one,
        );
        return { ...report, statuses };
      },
    })),
  },
  {
    name: "ports-left",
    bug: "a port stays when its last Service has gone",
    checker: "converges",
    sees: /is used by nobody/,
    caughtAt: 1,
    ...planning((plan) => ({ ...plan, actions: plan.actions.filter(({ kind }) => kind !== "delete-port") })),
  },
  {
    name: "one-bad-service-stops-all",
    bug: "nothing is done for a pool while one of its Services is refused",
    checker: "converges",
    sees: /Service/,
    caughtAt: 65,
    ...changingGateway((feature) => ({
      plan: (observed, nowMs) => {
        const { services } = observed as PoolObserved;
        const plan = feature.plan(observed, nowMs);
        const isHeldUp = services.some(({ metadata }) => metadata.name === "bad");
        return isHeldUp ? { ...plan, actions: plan.actions.filter(({ kind }) => kind === "hold-pool") } : plan;
      },
    })),
  },
];

type Bug = Pick<Mutation, "overrides" | "gateway">;

/** Where the job lives: the bug cannot show anywhere else. */
function changingGateway(change: (feature: Feature) => Partial<Feature>): Bug {
  return { ...changing("gateway", change), gateway: () => ({}) };
}

type Send = (request: FeedRequest, feed: GatewayFeed) => ReturnType<GatewayFeed["send"]>;

function sending(send: Send): Pick<Mutation, "gateway"> {
  const override: GatewayOverrides = { feed: (feed) => ({ ...feed, send: (request) => send(request, feed) }) };
  return { gateway: () => override };
}

function inCloud(change: (openStack: OpenStack) => OpenStack): Pick<Mutation, "gateway"> {
  return { gateway: () => ({ openStack: change }) };
}

function seeing(change: (observed: PoolObserved) => PoolObserved): Bug {
  return changingGateway((feature) => ({
    observe: async (key, reader) => {
      const observed = (await feature.observe(key, reader)) as PoolObserved | undefined;
      return observed === undefined ? undefined : change(observed);
    },
  }));
}

function planning(change: (plan: Plan) => Plan): Bug {
  return changingGateway((feature) => ({ plan: (observed, nowMs) => change(feature.plan(observed, nowMs)) }));
}

/** Its port is not looked at, and nothing is thought to be left on it. */
function withoutFence(one: GatewayObserved): GatewayObserved {
  const { external: _, internal: __, state, ...rest } = one;
  return state.kind === "silent" ? { ...rest, state: { ...state, mayCarry: new Set() } } : one;
}

function believing(one: GatewayObserved, carried: GatewayDocument): GatewayObserved {
  const { state } = one;
  return state.kind === "answers" ? { ...one, state: { ...state, carried } } : one;
}

function asking(service: Service, address: string): Service {
  const { metadata } = service;
  const isShown = (service.status?.loadBalancer?.ingress ?? []).length > 0;
  if (metadata.namespace !== "default" || metadata.name !== "web" || !isShown) return service;
  return {
    ...service,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [addressesAnnotation]: address } },
  };
}
