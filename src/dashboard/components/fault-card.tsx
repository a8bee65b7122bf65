// One fault of the demonstration: what it does, what to watch, and the way to start and stop it.

import { type SyntheticEvent, useId, useState } from "react";
import { type Fault, type FaultParameter, routes, type StartFault } from "../../server/contract.ts";
import { useConnection } from "../live/live-context.tsx";
import { useServerNow } from "../live/server-clock.ts";
import { type Failure, failureOf } from "../words/failure.ts";
import { parseTime, span } from "../words/time.ts";
import { BlockedButton } from "./blocked-button.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Mark } from "./mark.tsx";

export interface FaultCardProps {
  readonly fault: Fault;
  readonly blockedBecause: string | undefined;
}

export function FaultCard({ fault, blockedBecause }: FaultCardProps) {
  const { id, title, description, watch, parameters, active } = fault;
  const live = useConnection();
  const heading = useId();
  const [values, setValues] = useState<Readonly<Record<string, number>>>({});
  const [failure, setFailure] = useState<Failure>();
  const change = (method: "POST" | "DELETE", body?: StartFault) => {
    setFailure(undefined);
    live.ask(routes.fault(id), { method, body }).catch((thrown: unknown) => setFailure(failureOf(thrown)));
  };
  const start = (event: SyntheticEvent) => {
    event.preventDefault();
    if (blockedBecause === undefined) change("POST", { parameters: values });
  };
  return (
    <li className="fault-card" aria-labelledby={heading} data-active={active !== undefined}>
      <h2 id={heading}>{title}</h2>
      <FaultState fault={fault} />
      <p>{description}</p>
      <p className="small soft">Watch: {watch}</p>
      <form className="fault-form" onSubmit={start}>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={active?.parameters[parameter.name] ?? values[parameter.name] ?? parameter.default}
            fixed={active !== undefined}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {active === undefined ? (
          <BlockedButton type="submit" blockedBecause={blockedBecause}>
            Start<span className="visually-hidden"> {title}</span>
          </BlockedButton>
        ) : (
          <BlockedButton blockedBecause={blockedBecause} onPress={() => change("DELETE")}>
            Stop<span className="visually-hidden"> {title}</span>
          </BlockedButton>
        )}
      </form>
      {failure === undefined ? null : <FailureNote failure={failure} />}
    </li>
  );
}

/** Screen readers announce start and end, but not the countdown. */
function FaultState({ fault: { active } }: { readonly fault: Fault }) {
  const nowMs = useServerNow();
  const endsMs = parseTime(active?.endsAt);
  const left = endsMs === undefined ? "" : `heals in ${span(endsMs - nowMs)}`;
  const says = active === undefined || active.says === "" ? [] : [active.says];
  return (
    <p>
      <output>
        {active === undefined ? (
          <Mark shape="check" tone="unknown" word="Not active" />
        ) : (
          <Mark shape="alert" tone="bad" word="Active" />
        )}
      </output>{" "}
      <span className="small soft">{[left, ...says].join(" · ")}</span>
    </p>
  );
}

interface ParameterFieldProps {
  readonly parameter: FaultParameter;
  readonly value: number;
  /** While the fault lasts. */
  readonly fixed: boolean;
  readonly onChange: (value: number) => void;
}

function ParameterField({ parameter: { title, unit, min, max }, value, fixed, onChange }: ParameterFieldProps) {
  const field = useId();
  return (
    <span className="parameter">
      <label htmlFor={field}>{title}</label>
      <input
        id={field}
        type="number"
        required
        readOnly={fixed}
        min={min}
        max={max}
        step="any"
        value={Number.isNaN(value) ? "" : value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      {unit === undefined ? null : <span className="soft">{unit}</span>}
    </span>
  );
}
