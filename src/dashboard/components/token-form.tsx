// The form to sign in with a token. The live connection keeps the token in memory only, so that a reload forgets it.

import { type SyntheticEvent, useId, useState } from "react";
import { useConnection } from "../live/live-context.tsx";
import type { Failure } from "../words/failure.ts";
import { FailureNote } from "./failure-note.tsx";
import { PageHeading } from "./page-heading.tsx";

export function TokenForm({ failure }: { readonly failure?: Failure | undefined }) {
  const live = useConnection();
  const [token, setToken] = useState("");
  const field = useId();
  const enter = (event: SyntheticEvent) => {
    event.preventDefault();
    if (token.trim() === "") return;
    live.enterToken(token.trim());
    setToken("");
  };
  return (
    <form className="token-form" onSubmit={enter} autoComplete="off">
      <PageHeading title="Sign in" />
      <p>
        This dashboard shows what your Kubernetes token may see. The token stays in this tab's memory: it is not stored,
        and a reload forgets it.
      </p>
      {failure === undefined ? null : <FailureNote failure={failure} />}
      <label htmlFor={field}>Token</label>
      <input
        id={field}
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      <button type="submit">Sign in</button>
      <p className="small soft">
        To get one: <code>kubectl create token NAME --namespace NAMESPACE</code> for a service account that is bound to
        a reader's role.
      </p>
    </form>
  );
}
