// The job's part of the configuration file. A setting that has got a better name is accepted under its earlier one, too; whoever reads
// the settings knows the new one alone.

import { z } from "zod";

const usualSeconds = 30;
const seconds = z.number().min(1).max(3_600).optional();

export const endpointSettings = z
  .strictObject({
    claims: z
      .enum(["annotated", "all"])
      .default("annotated")
      .describe(
        "Which OpenStackClusters are ours: those with the annotation `cluster.x-k8s.io/managed-by`, or all, where there is no CAPO.",
      ),
    // Its default is filled in below: a schema that does it cannot tell whether the setting was given.
    observeAgainSeconds: seconds.meta({
      description: "How old the knowledge of a quiet cluster's balancers may become.",
      default: usualSeconds,
    }),
    probe: z
      .enum(["none", "tcp", "readyz"])
      .default("none")
      .describe(
        "Whether the manager itself asks the address of each balancer: by a TCP connection, or by TLS and `GET /readyz`. Two failures in a row, while another zone answers, count as a balancer that does not serve.",
      ),
    probeIntervalSeconds: z
      .number()
      .min(1)
      .max(3_600)
      .default(30)
      .describe("How often a balancer that answers is asked at most."),
    probeTimeoutSeconds: z.number().min(1).max(30).default(3).describe("How long a probe waits for an answer."),
    relookSeconds: seconds.describe(
      "The earlier name of `observeAgainSeconds`, still accepted. Only one of them can be set.",
    ),
  })
  .superRefine(({ observeAgainSeconds, relookSeconds }, context) => {
    if (observeAgainSeconds !== undefined && relookSeconds !== undefined)
      context.addIssue({
        code: "custom",
        message: "observeAgainSeconds and relookSeconds are two names of one setting; keep observeAgainSeconds alone",
      });
  })
  .transform(({ observeAgainSeconds, relookSeconds, ...settings }) => ({
    ...settings,
    observeAgainSeconds: observeAgainSeconds ?? relookSeconds ?? usualSeconds,
  }));
