// A failure, said to a person.

import { type Failure, failureWords } from "../words/failure.ts";

export function FailureNote({ failure }: { readonly failure: Failure }) {
  const { what, next } = failureWords(failure);
  // What is not there is no trouble by itself.
  const absent = failure.kind === "answered" && failure.error.code === "not-found";
  return (
    <div className="note" data-tone={absent ? "unknown" : "bad"} role="alert">
      <p>
        <strong>{what}</strong>
      </p>
      <p>{next}</p>
    </div>
  );
}
