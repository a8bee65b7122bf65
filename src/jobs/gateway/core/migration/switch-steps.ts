// The switch from ch-k8s-lbaas and the way back, step by step, with the commands to type. Addresses stay on both ways: the order is why.

import type { GatewayPool } from "../../apis/gateway-pool.ts";
import { secretNames } from "./pool-of-lbaas.ts";

export interface SwitchStep {
  readonly does: string;
  readonly commands: readonly string[];
}

export interface SwitchSteps {
  readonly forth: readonly SwitchStep[];
  readonly back: readonly SwitchStep[];
}

export interface StepFacts {
  /** Where the Secrets are. */
  readonly namespace: string;
  /** Of the controller's configuration. */
  readonly file: string;
}

const oldController = "deployment/ch-k8s-lbaas-controller --namespace kube-system";

export function switchSteps(pool: GatewayPool, { namespace, file }: StepFacts): SwitchSteps {
  const { name } = pool.metadata;
  const gateways = (pool.spec?.gateways ?? []).map((gateway) => gateway.name).join(", ");
  const isCloud = pool.spec?.addresses?.neutron !== undefined;
  return {
    forth: [
      {
        does: "Install Mainstay's definitions and rights",
        commands: ["mainstay crds install", "kubectl apply -f deploy/rbac/"],
      },
      {
        does: `Make the Secret for the agents: the value of agents.shared-secret in ${file}, as it stands there, alone in a file`,
        commands: [
          `kubectl create secret generic ${secretNames.agents} --namespace ${namespace} --from-file=shared-secret=secret.txt`,
        ],
      },
      ...(isCloud
        ? [
            {
              does: `Make the Secret for the cloud: a clouds.yaml with an entry openstack, from openstack.auth in ${file}`,
              commands: [
                `kubectl create secret generic ${secretNames.cloud} --namespace ${namespace} --from-file=clouds.yaml`,
              ],
            },
          ]
        : []),
      {
        does: `On each gateway (${gateways}), one after the other and the one that leads last: put Mainstay's agent in place of the old one. It reads the old file, is driven by the old controller, and calls itself by the machine's host name, which has to be the gateway's name in the pool`,
        commands: [
          "systemctl disable --now ch-k8s-lbaas-agent",
          "mainstay agent --config /etc/ch-k8s-lbaas-agent/config.toml",
        ],
      },
      {
        does: "Stop the old controller: it has no lease, and two controllers undo each other's work",
        commands: [`kubectl scale ${oldController} --replicas=0`],
      },
      {
        does: "Make the pool that is printed below, and start Mainstay's controller",
        commands: ["kubectl apply -f pool.yaml", "mainstay controller --config mainstay.yaml"],
      },
      {
        does: "Wait, and compare: every Service has the address that it had",
        commands: [`mainstay status gatewaypool/${name} --wait`, "mainstay services"],
      },
      {
        does: "When all gateways run Mainstay's agent, switch to VRRP 3 for fail-overs in less than a second; from here on the old agent cannot be mixed in",
        commands: [`kubectl patch gatewaypool ${name} --type merge -p '{"spec":{"vrrp":{"mode":"VRRP3"}}}'`],
      },
    ],
    back: [
      {
        does: "If VRRP 3 is on, turn it off and wait",
        commands: [
          `kubectl patch gatewaypool ${name} --type merge -p '{"spec":{"vrrp":{"mode":"Compat"}}}'`,
          `mainstay status gatewaypool/${name} --wait`,
        ],
      },
      {
        does: "Stop Mainstay's controller. Do not delete the pool while it runs: that takes every address back",
        commands: [],
      },
      {
        does: "Write the old controller's records on Services that Mainstay served first, so that they keep their addresses",
        commands: [
          `kubectl get services --all-namespaces -o json | jq -r '.items[] | select(.metadata.annotations["mainstay.dev/inbound-port"] and .metadata.annotations["mainstay.dev/pool"] == "${name}") | [.metadata.namespace, .metadata.name, .metadata.annotations["mainstay.dev/inbound-port"]] | @tsv' | while read -r ns name port; do kubectl annotate --overwrite --namespace "$ns" service "$name" cah-loadbalancer.k8s.cloudandheat.com/managed=true cah-loadbalancer.k8s.cloudandheat.com/inbound-port="$port"; done`,
        ],
      },
      {
        does: "On each gateway, the one that leads last: the old agent in place of Mainstay's, and Mainstay's rules away",
        commands: [
          "systemctl disable --now mainstay-agent",
          "nft delete table ip mainstay",
          "nft delete table ip6 mainstay",
          "systemctl enable --now ch-k8s-lbaas-agent",
        ],
      },
      {
        does: "Start the old controller, and see that it pushes to its agents",
        commands: [`kubectl scale ${oldController} --replicas=1`],
      },
      {
        does: "Take Mainstay's finalizers off, and delete the pool",
        commands: [
          `kubectl get services --all-namespaces -o json | jq -r '.items[] | select(.metadata.finalizers // [] | index("mainstay.dev/gateway")) | [.metadata.namespace, .metadata.name] | @tsv' | while read -r ns name; do kubectl get --namespace "$ns" service "$name" -o json | jq '.metadata.finalizers -= ["mainstay.dev/gateway"]' | kubectl replace -f -; done`,
          `kubectl patch gatewaypool ${name} --type merge -p '{"metadata":{"finalizers":null}}'`,
          `kubectl delete gatewaypool ${name}`,
        ],
      },
    ],
  };
}
