// A failure, in words for people.

import { type Failure, failureWords } from "../words/failure.ts";

export function FailureNote({ failure }: { readonly failure: Failure }) {
  const { what, next } = failureWords(failure);
  // Something that does not exist is not an error by itself.
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
