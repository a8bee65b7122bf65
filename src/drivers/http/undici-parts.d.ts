// The types of two files of undici that are loaded alone. Its index also loads fetch, WebSocket, caches and mocks, which no code of ours uses,
// and each command on a cluster would pay for that: more than half of the time that undici takes to load.

declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}
