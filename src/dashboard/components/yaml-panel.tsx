// The object itself as YAML, asked for when somebody opens it, with a button that copies it.

import { useState } from "react";
import type { ObjectId } from "../../core/views/object-view.ts";
import { routes, type YamlAnswer } from "../../server/contract.ts";
import { useAnswer } from "../live/live-context.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Panel } from "./panel.tsx";

export interface YamlPanelProps {
  readonly id: ObjectId;
  readonly revision: string;
}

export function YamlPanel({ id, revision }: YamlPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (
    <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? "Hide" : "Show"}
    </button>
  );
  return (
    <Panel title="YAML" aside={toggle}>
      {isOpen ? <Yaml id={id} revision={revision} /> : <p className="small soft">The object as the cluster has it.</p>}
    </Panel>
  );
}

function Yaml({ id, revision }: YamlPanelProps) {
  const answer = useAnswer<YamlAnswer>(routes.yaml(id), revision);
  if (answer.state === "loading")
    return (
      <p className="soft" aria-busy="true">
        Asking the server for it.
      </p>
    );
  if (answer.state === "failed") return <FailureNote failure={answer.failure} />;
  return (
    <>
      <CopyButton text={answer.value.yaml} />
      <pre className="commands yaml">{answer.value.yaml}</pre>
    </>
  );
}

const copyWords = { ready: "", copied: "Copied.", failed: "Not copied: select the text instead." } as const;

/** A browser may refuse the clipboard, as on a page without TLS. */
function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<keyof typeof copyWords>("ready");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  };
  return (
    <p className="copy">
      <button type="button" onClick={() => void copy()} onBlur={() => setState("ready")}>
        Copy
      </button>{" "}
      <output className="small soft">{copyWords[state]}</output>
    </p>
  );
}
