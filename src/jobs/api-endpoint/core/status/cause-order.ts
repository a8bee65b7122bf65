// Which of several things that are wrong people are told first: the root of the chain. A cloud that nobody can ask hides everything; an object
// that is refused as a whole is not acted for; a zone that is down takes its balancer and its machines with it; a balancer that is broken cuts off its members; then members that do not answer; then a
// balancer that Mainstay makes again by itself. What was asked
// for and never was there, such as a mistyped zone, takes nothing away, so it comes after what was lost. Last is what comes by itself.

import type { CauseOrder } from "../../../../core/root-cause.ts";

export const causeOrder: CauseOrder = {
  roots: [
    ["CredentialsUnusable", "OpenStackNotAuthenticated", "ProjectChanged"],
    [
      "OpenStackUnreachable",
      "OpenStackTimeout",
      "OpenStackServerError",
      "OpenStackRateLimited",
      "OpenStackServiceMissing",
    ],
    ["EndpointSpecInvalid", "OctaviaTooOld", "EndpointNotDnsName", "EndpointUndetermined", "OwnerIdTaken"],
    ["ZoneDown"],
    ["LoadBalancerInError", "LoadBalancerStuck", "LoadBalancerDown"],
    ["MembersUnhealthy"],
    ["LoadBalancerLost"],
  ],
  symptoms: [
    ["PlaceUnrecorded", "LoadBalancerMissing", "LoadBalancerPending", "ListenerMissing", "FloatingIpMissing"],
    ["ZoneWithoutMembers", "MachineWithoutAddress"],
    ["EndpointMissing", "EndpointNotReady"],
    ["AnswerAwaited", "ChangeUnderWay", "AsExpected"],
  ],
};
