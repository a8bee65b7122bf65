// A failure, said to a person.

import { type Failure, failureWords } from "../words/failure.ts";

export function FailureNote({ failure }: { readonly failure: Failure }) {
  const { what, next } = failureWords(failure);
  return (
    <div className="note" data-tone="bad" role="alert">
      <p>
        <strong>{what}</strong>
      </p>
      <p>{next}</p>
    </div>
  );
}
