// The Octavia port straight on the fake's state.

import type { Octavia } from "../../../../ports/octavia.ts";
import type { ServiceCalls } from "../cloud-session.ts";
import { checkKnown } from "../strict.ts";
import { unlessGone } from "../unless-gone.ts";
import { listFlavors, listZones, minorOf, providersOf } from "./capabilities.ts";
import * as monitors from "./health-monitors.ts";
import { known } from "./known-fields.ts";
import * as listeners from "./listeners.ts";
import * as balancers from "./load-balancers.ts";
import * as members from "./members.ts";
import * as pools from "./pools.ts";
import { statusTree } from "./status-tree.ts";
import { ownBalancer } from "./visible.ts";

export function octaviaPort(calls: ServiceCalls): Octavia {
  return {
    ...capabilityCalls(calls),
    ...balancerCalls(calls),
    ...listenerCalls(calls),
    ...poolCalls(calls),
    ...monitorCalls(calls),
    ...memberCalls(calls),
  };
}

type Part<K extends keyof Octavia> = Pick<Octavia, K>;

function capabilityCalls({
  read,
}: ServiceCalls): Part<"version" | "listProviders" | "listFlavors" | "listAvailabilityZones"> {
  return {
    version: (options) => read("list versions", options, (cloud) => [2, minorOf(cloud)] as const),
    listProviders: (options) => read("list providers", options, (cloud) => Object.keys(providersOf(cloud))),
    listFlavors: (options) => read("list flavors", options, (cloud) => listFlavors(cloud)),
    listAvailabilityZones: (options) => read("list availability zones", options, (cloud) => listZones(cloud)),
  };
}

function balancerCalls({
  read,
  write,
}: ServiceCalls): Part<
  | "listLoadBalancers"
  | "getLoadBalancer"
  | "statusTree"
  | "createLoadBalancer"
  | "updateLoadBalancer"
  | "deleteLoadBalancer"
  | "failoverLoadBalancer"
> {
  return {
    listLoadBalancers: (query, options) =>
      read("list load balancers", options, (cloud, caller) => {
        checkKnown("query", query, known.taggedQuery);
        return balancers.listLoadBalancers(cloud, caller, query);
      }),
    getLoadBalancer: (id, options) =>
      read("get load balancer", options, (cloud, caller) => ownBalancer(cloud, caller, id), id),
    statusTree: (id, options) => read("get status tree", options, (cloud, caller) => statusTree(cloud, caller, id), id),
    createLoadBalancer: (wanted, options) =>
      write(
        "create load balancer",
        options,
        (cloud, caller) => {
          checkKnown("loadbalancer", wanted, known.createLoadBalancer);
          return balancers.createLoadBalancer(cloud, caller, wanted);
        },
        wanted.vipSubnetId,
      ),
    updateLoadBalancer: (id, change, options) =>
      write(
        "update load balancer",
        options,
        (cloud, caller) => {
          checkKnown("loadbalancer", change, known.updateLoadBalancer);
          return balancers.updateLoadBalancer(cloud, caller, id, change);
        },
        id,
      ),
    deleteLoadBalancer: (id, options) =>
      unlessGone(
        write(
          "delete load balancer",
          options,
          (cloud, caller) => balancers.deleteLoadBalancer(cloud, caller, id, true),
          id,
        ),
      ),
    failoverLoadBalancer: (id, options) =>
      write(
        "failover load balancer",
        options,
        (cloud, caller) => balancers.failoverLoadBalancer(cloud, caller, id),
        id,
      ),
  };
}

function listenerCalls({
  read,
  write,
}: ServiceCalls): Part<"listListeners" | "createListener" | "updateListener" | "deleteListener"> {
  return {
    listListeners: (query, options) =>
      read(
        "list listeners",
        options,
        (cloud, caller) => {
          checkKnown("query", query, known.childQuery);
          return listeners.listListeners(cloud, caller, query);
        },
        query.loadBalancerId,
      ),
    createListener: (wanted, options) =>
      write(
        "create listener",
        options,
        (cloud, caller) => {
          checkKnown("listener", wanted, known.createListener);
          return listeners.createListener(cloud, caller, wanted);
        },
        wanted.loadBalancerId,
      ),
    updateListener: (id, change, options) =>
      write(
        "update listener",
        options,
        (cloud, caller) => {
          checkKnown("listener", change, known.updateListener);
          return listeners.updateListener(cloud, caller, id, change);
        },
        id,
      ),
    deleteListener: (id, options) =>
      unlessGone(write("delete listener", options, (cloud, caller) => listeners.deleteListener(cloud, caller, id), id)),
  };
}

function poolCalls({ read, write }: ServiceCalls): Part<"listPools" | "createPool" | "updatePool" | "deletePool"> {
  return {
    listPools: (query, options) =>
      read(
        "list pools",
        options,
        (cloud, caller) => {
          checkKnown("query", query, known.childQuery);
          return pools.listPools(cloud, caller, query);
        },
        query.loadBalancerId,
      ),
    createPool: (wanted, options) =>
      write(
        "create pool",
        options,
        (cloud, caller) => {
          checkKnown("pool", wanted, known.createPool);
          return pools.createPool(cloud, caller, wanted);
        },
        wanted.listenerId,
      ),
    updatePool: (id, change, options) =>
      write(
        "update pool",
        options,
        (cloud, caller) => {
          checkKnown("pool", change, known.updatePool);
          return pools.updatePool(cloud, caller, id, change);
        },
        id,
      ),
    deletePool: (id, options) =>
      unlessGone(write("delete pool", options, (cloud, caller) => pools.deletePool(cloud, caller, id), id)),
  };
}

function monitorCalls({
  read,
  write,
}: ServiceCalls): Part<"listHealthMonitors" | "createHealthMonitor" | "updateHealthMonitor" | "deleteHealthMonitor"> {
  return {
    listHealthMonitors: (query, options) =>
      read("list health monitors", options, (cloud, caller) => {
        checkKnown("query", query, known.taggedQuery);
        return monitors.listHealthMonitors(cloud, caller, query);
      }),
    createHealthMonitor: (wanted, options) =>
      write(
        "create health monitor",
        options,
        (cloud, caller) => {
          checkKnown("healthmonitor", wanted, known.createHealthMonitor);
          return monitors.createHealthMonitor(cloud, caller, wanted);
        },
        wanted.poolId,
      ),
    updateHealthMonitor: (id, change, options) =>
      write(
        "update health monitor",
        options,
        (cloud, caller) => {
          checkKnown("healthmonitor", change, known.updateHealthMonitor);
          return monitors.updateHealthMonitor(cloud, caller, id, change);
        },
        id,
      ),
    deleteHealthMonitor: (id, options) =>
      unlessGone(
        write("delete health monitor", options, (cloud, caller) => monitors.deleteHealthMonitor(cloud, caller, id), id),
      ),
  };
}

function memberCalls({
  read,
  write,
}: ServiceCalls): Part<"listMembers" | "createMember" | "updateMember" | "deleteMember" | "mergeMembers"> {
  return {
    listMembers: (poolId, options) =>
      read("list members", options, (cloud, caller) => members.listMembers(cloud, caller, poolId), poolId),
    createMember: (poolId, wanted, options) =>
      write(
        "create member",
        options,
        (cloud, caller) => {
          checkKnown("member", wanted, known.createMember);
          return members.createMember(cloud, caller, poolId, wanted);
        },
        poolId,
      ),
    updateMember: (poolId, id, change, options) =>
      write(
        "update member",
        options,
        (cloud, caller) => {
          checkKnown("member", change, known.updateMember);
          return members.updateMember(cloud, caller, poolId, id, change);
        },
        id,
      ),
    deleteMember: (poolId, id, options) =>
      unlessGone(
        write("delete member", options, (cloud, caller) => members.deleteMember(cloud, caller, poolId, id), id),
      ),
    mergeMembers: (poolId, wanted, options) =>
      write(
        "merge members",
        options,
        (cloud, caller) => {
          for (const each of wanted) checkKnown("member", each, known.createMember);
          members.batchMembers(cloud, caller, poolId, wanted, true);
        },
        poolId,
      ),
  };
}
