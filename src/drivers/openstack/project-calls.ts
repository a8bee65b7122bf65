// Calls to the services of one project: with its token, at the address in its catalogue, and once more with a new token after a 401.
// Answers are decoded here.

import type { z } from "zod";
import { isOpenStackError, OpenStackError, type OpenStackService } from "../../core/openstack/openstack-error.ts";
import { present } from "../../core/present.ts";
import type { CloudCallOptions, CloudWriteOptions } from "../../ports/openstack.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { unreadable } from "./errors.ts";
import { type Channel, exchange } from "./exchange.ts";
import { type Place, serviceRoot, typeOfService } from "./login/catalogue.ts";
import type { Authentication, Session } from "./login/session.ts";
import { describeSubject, operationOf, type Subject } from "./login/subject.ts";
import { type Attempt, withRetries } from "./retry.ts";
import { type QueryValues, queryText } from "./wire/query.ts";

export interface Call {
  readonly subject: Subject;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the service's root, without query. */
  readonly path: string;
  readonly query?: QueryValues;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListCall {
  readonly subject: Subject;
  readonly path: string;
  readonly query?: QueryValues;
  /** The key of the list in the answer, such as `loadbalancers`. */
  readonly key: string;
}

export class ProjectCalls {
  readonly #channel: Channel;
  readonly #session: Session;
  readonly #place: Place;

  constructor(channel: Channel, session: Session, place: Place) {
    this.#channel = channel;
    this.#session = session;
    this.#place = place;
  }

  authentication(signal?: AbortSignal): Promise<Authentication> {
    return this.#session.authentication(signal);
  }

  /** Where the service is; undefined where the catalogue has none. */
  async address(service: OpenStackService, { signal }: CloudCallOptions = {}): Promise<string | undefined> {
    const { catalogue } = await this.authentication(signal);
    return serviceRoot(catalogue, service, this.#place);
  }

  get channel(): Channel {
    return this.#channel;
  }

  async read<T>(call: Call, schema: z.ZodType<T>, options: CloudCallOptions = {}): Promise<T> {
    return this.#decode(call.subject, await this.#perform(call, false, options), schema);
  }

  async write<T>(call: Call, schema: z.ZodType<T>, options: CloudWriteOptions = {}): Promise<T> {
    return this.#decode(call.subject, await this.#perform(call, true, options), schema);
  }

  /** A change whose answer is ignored. */
  async send(call: Call, options: CloudWriteOptions = {}): Promise<void> {
    await this.#perform(call, true, options);
  }

  /** Of something that is gone already: done. */
  async remove(call: Omit<Call, "method">, options: CloudWriteOptions = {}): Promise<void> {
    await unlessGone(this.#perform({ ...call, method: "DELETE" }, true, options));
  }

  async #perform(call: Call, write: boolean, options: CloudWriteOptions): Promise<HttpAnswer> {
    if (!isPlainPath(call.path)) throw invalidId(call.subject);
    const task = { subject: call.subject, write, options, redact: () => this.#session.redact };
    return withRetries(this.#channel, task, async (attempt) => {
      const first = await this.#session.authentication(attempt.signal);
      const answer = await this.#exchange(call, first, attempt);
      if (answer.status !== 401) return answer;
      // A 401 had no effect, so that even a change may be repeated with a fresh token.
      this.#session.refuse(first.token);
      return this.#exchange(call, await this.#session.authentication(attempt.signal), attempt);
    });
  }

  async #exchange(call: Call, authentication: Authentication, attempt: Attempt): Promise<HttpAnswer> {
    const { subject, method, path, query = {}, body, headers } = call;
    const root = serviceRoot(authentication.catalogue, subject.service, this.#place);
    if (root === undefined) throw noSuchService(subject, this.#place);
    const answer = await exchange(this.#channel, subject, {
      ...attempt,
      method,
      url: `${root}${path}${queryText(query)}`,
      trust: this.#session.trust,
      token: authentication.token,
      ...present({ body, headers }),
    });
    this.#session.cloudClock.note(answer.headers);
    return answer;
  }

  #decode<T>(subject: Subject, { status, text }: HttpAnswer, schema: z.ZodType<T>): T {
    const redact = this.#session.redact;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw unreadable(subject, status, "the answer is not JSON", redact);
    }
    const decoded = schema.safeParse(value);
    if (decoded.success) return decoded.data;
    const [issue] = decoded.error.issues;
    const what = issue === undefined ? "" : `: ${issue.path.join(".")}: ${issue.message}`;
    throw unreadable(subject, status, `the answer does not have the expected form${what}`, redact);
  }
}

/** Of something that is gone already: done. */
export async function unlessGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isOpenStackError(error, "NotFound")) throw error;
  }
}

/** An empty id would mean the whole collection, and dots its neighbours. */
function isPlainPath(path: string): boolean {
  return (
    path === "/" ||
    !path
      .slice(1)
      .split("/")
      .some((part) => ["", ".", ".."].includes(part))
  );
}

function invalidId(subject: Subject): OpenStackError {
  return new OpenStackError({
    code: "BadRequest",
    service: subject.service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: not sent, because the id is not valid`,
  });
}

function noSuchService(subject: Subject, place: Place): OpenStackError {
  const { service }: { readonly service: OpenStackService } = subject;
  const where = place.region === undefined ? "" : ` in region ${place.region}`;
  return new OpenStackError({
    code: "NoSuchService",
    service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: the catalogue has no ${typeOfService(service)} service${where} with interface ${place.interface}`,
    hint: "Check region_name and interface in the clouds.yaml, and that the cloud has this service.",
  });
}
