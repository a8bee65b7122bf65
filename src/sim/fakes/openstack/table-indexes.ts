// By which keys rows are found without a scan: thousands of clusters in one project must not read each other's rows.

import type { CloudTables, RecordKind } from "./cloud-records.ts";

interface Tagged {
  readonly name: string;
  readonly tags: readonly string[];
  readonly projectId: string;
}

const tagged = ({ name, tags, projectId }: Tagged): readonly string[] => [
  `project:${projectId}`,
  `name:${name}`,
  ...new Set(tags.map((tag) => `tag:${tag}`)),
];

const optional = (kind: string, id: string | undefined): readonly string[] =>
  id === undefined || id === "" ? [] : [`${kind}:${id}`];

export const indexKeys: { readonly [K in RecordKind]: (row: CloudTables[K]) => readonly string[] } = {
  loadbalancers: tagged,
  listeners: (row) => [...tagged(row), `balancer:${row.loadBalancerId}`, ...optional("pool", row.defaultPoolId)],
  pools: (row) => [...tagged(row), `balancer:${row.loadBalancerId}`],
  healthmonitors: (row) => [...tagged(row), `balancer:${row.loadBalancerId}`, `pool:${row.poolId}`],
  members: (row) => [`project:${row.projectId}`, `balancer:${row.loadBalancerId}`, `pool:${row.poolId}`],
  networks: tagged,
  subnets: (row) => [...tagged(row), `network:${row.networkId}`],
  ports: (row) => [
    ...tagged(row),
    `network:${row.networkId}`,
    ...optional("device", row.deviceId),
    ...row.fixedIps.map(({ subnetId }) => `subnet:${subnetId}`),
  ],
  routers: (row) => [...tagged(row), ...row.subnetIds.map((id) => `subnet:${id}`)],
  floatingips: (row) => [
    `project:${row.projectId}`,
    `address:${row.address}`,
    `description:${row.description}`,
    ...new Set(row.tags.map((tag) => `tag:${tag}`)),
    ...optional("port", row.portId),
  ],
  servers: (row) => [`project:${row.projectId}`],
};
