// Failures without an answer, as OpenStackErrors.

import { MainstayError } from "../../core/errors.ts";
import { OpenStackError } from "../../core/openstack/openstack-error.ts";
import { present } from "../../core/present.ts";
import { type Attempt, type ConnectionHints, describeFailure, hintFor, timeoutOf } from "../http/without-answer.ts";
import { type Redact, redactError } from "./login/secrets.ts";
import { describeSubject, operationOf, type Subject } from "./login/subject.ts";

export function errorWithoutAnswer(subject: Subject, error: unknown, attempt: Attempt, redact: Redact): MainstayError {
  if (error instanceof MainstayError) return error;
  const timeout = timeoutOf(error, attempt);
  const hint = timeout === undefined ? hintFor(error, hints) : timeout.hint;
  const cause = redactError(error, redact);
  return new OpenStackError({
    code: timeout === undefined ? "Unreachable" : "Timeout",
    service: subject.service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: ${timeout?.what ?? redact(describeFailure(error))}`,
    ...present({ cause, hint }),
  });
}

const hints: ConnectionHints = {
  notTls: "Check that the address speaks TLS, 1.2 or later.",
  unusableKeys: "Check the cacert beside the clouds.yaml: it cannot be used.",
  untrusted: "Put the authority that signed the cloud's certificate beside the clouds.yaml, as cacert.",
  byCode: {
    ERR_PROXY: "Check HTTPS_PROXY and HTTP_PROXY, or list the cloud in NO_PROXY: it was not reached at all.",
    ERR_PROXY_UNTRUSTED:
      "The proxy's certificate is signed by an authority unknown here: name it in NODE_EXTRA_CA_CERTS.",
    ECONNREFUSED: "Check that the service runs and that its address and port in the catalogue are right.",
    ENOTFOUND: "Check the host name in auth_url or in the catalogue, and DNS.",
    EAI_AGAIN: "DNS did not answer; check the resolver.",
    UND_ERR_CONNECT_TIMEOUT: "Check routes and firewalls between here and the cloud.",
    CERT_HAS_EXPIRED: "The service's certificate has expired: renew it, or check this machine's clock.",
    ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name: correct auth_url or the catalogue.",
  },
};
