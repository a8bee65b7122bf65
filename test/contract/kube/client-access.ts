// Who may do what, and requests below the client.

import { expect, it } from "vitest";
import { configMaps } from "../../../src/apis/kube/builtin-kinds.ts";
import type { GetContext } from "../kube-target.ts";
import { configMap, refusal } from "./samples.ts";

export function accessBehaviours(get: GetContext): void {
  it("says Unauthorized to a token nobody issued", async () => {
    const { stranger, namespace } = get();
    expect(await refusal(stranger.list(configMaps, { namespace }))).toMatchObject({
      code: "Unauthorized",
      status: 401,
    });
    expect(await refusal(stranger.create(configMaps, configMap({ name: "x", namespace })))).toMatchObject({
      code: "Unauthorized",
    });
  });

  it("says Forbidden to a user without rights, for reads, writes and watches alike", async () => {
    const { restricted, namespace } = get();
    const refused = { code: "Forbidden", status: 403, statusReason: "Forbidden" };
    expect(await refusal(restricted.list(configMaps, { namespace }))).toMatchObject(refused);
    expect(await refusal(restricted.create(configMaps, configMap({ name: "x", namespace })))).toMatchObject(refused);
    const watch = restricted.watch(configMaps, { namespace })[Symbol.asyncIterator]();
    expect(await refusal(watch.next())).toMatchObject(refused);
  });

  it("tells its version", async () => {
    const version = await get().admin.request({ method: "GET", path: "/version" });
    expect(version).toMatchObject({ major: expect.any(String), gitVersion: expect.stringMatching(/^v1\./) });
  });

  it("says in plain text that it is ready", async () => {
    expect(await get().admin.request({ method: "GET", path: "/readyz" })).toBe("ok");
  });

  it("answers an access review about the caller", async () => {
    const { admin, restricted, namespace } = get();
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { namespace, verb: "list", resource: "configmaps" } },
    };
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const ask = { method: "POST", path, body: review } as const;
    expect(await admin.request(ask)).toMatchObject({ status: { allowed: true } });
    expect(await restricted.request(ask)).toMatchObject({ status: { allowed: false } });
  });

  it("refuses a patch in a format it does not know", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(configMaps, configMap({ name: unique("format"), namespace }));
    const path = `/api/v1/namespaces/${namespace}/configmaps/${metadata.name}`;
    const error = await refusal(admin.request({ method: "PATCH", path, body: {}, contentType: "application/json" }));
    expect(error).toMatchObject({ code: "BadRequest", status: 415 });
  });

  it("refuses a method that a resource does not have", async () => {
    const { admin, namespace } = get();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect(await refusal(admin.request({ method: "PUT", path, body: {} }))).toMatchObject({
      code: "BadRequest",
      status: 405,
    });
  });

  it("sends JSON with its content type over the bare transport", async () => {
    const { transport, namespace } = get();
    const path = `/api/v1/namespaces/${namespace}`;
    const response = await transport.send({ method: "GET", path, headers: { accept: "application/json" } });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toContain("application/json");
    expect(JSON.parse(Buffer.concat(chunks).toString("utf8"))).toMatchObject({ metadata: { name: namespace } });
  });

  it("never sends what is refused at the last moment", async () => {
    const { admin, transport, namespace, unique } = get();
    const object = configMap({ name: unique("late"), namespace });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const headers = { "content-type": "application/json" };
    const refused = new Error("no longer allowed");
    const sending = transport.send(
      { method: "POST", path, headers, body: JSON.stringify(object) },
      {
        beforeSend() {
          throw refused;
        },
      },
    );
    await expect(sending).rejects.toBe(refused);
    expect(await refusal(admin.get(configMaps, object.metadata))).toMatchObject({ code: "NotFound" });
  });

  it("writes nothing once the leader lease has run out", async () => {
    const { admin, namespace, unique } = get();
    const object = configMap({ name: unique("fenced"), namespace });
    const fence = { remainingMs: () => 0 };
    await expect(admin.create(configMaps, object, { fence })).rejects.toMatchObject({ reason: "LeadershipLost" });
    expect(await refusal(admin.get(configMaps, object.metadata))).toMatchObject({ code: "NotFound" });
  });
}
