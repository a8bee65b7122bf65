// Failures without an answer, as KubeErrors.

import { MainstayError } from "../../core/errors.ts";
import { KubeError } from "../../core/kube-error.ts";
import { present } from "../../core/present.ts";
import { redact } from "../http/redact.ts";
import { type Attempt, type ConnectionHints, describeFailure, hintFor, timeoutOf } from "../http/without-answer.ts";
import { describeSubject, type Subject } from "./errors.ts";

export function errorWithoutAnswer(subject: Subject, error: unknown, attempt: Attempt): MainstayError {
  if (error instanceof MainstayError) return error;
  const timeout = timeoutOf(error, attempt);
  const hint = timeout === undefined ? hintFor(error, hints) : timeout.hint;
  return new KubeError({
    code: timeout === undefined ? "Unreachable" : "Timeout",
    message: `${describeSubject(subject)}: ${timeout?.what ?? redact(describeFailure(error))}`,
    cause: error,
    ...present({ hint }),
  });
}

const hints: ConnectionHints = {
  notTls: "Check that the address speaks TLS and is an API server's.",
  unusableKeys: "Check the certificates and keys in the kubeconfig: one of them cannot be used.",
  untrusted:
    "Check certificate-authority of the cluster in the kubeconfig: the server's certificate is signed by another.",
  byCode: {
    ERR_PROXY:
      "Check proxy-url of the cluster in the kubeconfig, or HTTPS_PROXY: the API server was not reached at all.",
    ERR_PROXY_UNTRUSTED:
      "The proxy's certificate is signed by an authority unknown here: name it in NODE_EXTRA_CA_CERTS.",
    ECONNREFUSED: "Check that the API server runs and that the address and port are right.",
    ENOTFOUND: "Check the host name of the server, and DNS.",
    EAI_AGAIN: "DNS did not answer; check the resolver.",
    UND_ERR_CONNECT_TIMEOUT: "Check routes and firewalls between here and the API server.",
    CERT_HAS_EXPIRED: "The server's certificate has expired: renew it, or check this machine's clock.",
    CERT_NOT_YET_VALID: "The server's certificate is not valid yet: check this machine's clock.",
    ERR_TLS_CERT_ALTNAME_INVALID:
      "The certificate is for another name: correct the server address or set tls-server-name.",
  },
};
