// The filters of the plan log. They change the address and nothing else.

import { useId } from "react";
import type { LogChoices } from "../log-filter.ts";
import { goTo } from "../navigation.ts";
import { type LogFilter, logResults } from "../routes.ts";
import { resultNames } from "../words/results.ts";
import { PageLink } from "./page-link.tsx";

export interface LogFiltersProps {
  readonly filter: LogFilter;
  readonly choices: LogChoices;
}

export function LogFilters({ filter, choices }: LogFiltersProps) {
  const show = (change: Readonly<Partial<Record<keyof LogFilter, string>>>, replace = false) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== "");
    goTo({ page: "plan-log", filter: Object.fromEntries(next) }, { replace });
  };
  const search = useId();
  return (
    <search className="filters" aria-label="Filter the plan log">
      <span className="filter">
        <label htmlFor={search}>Words</label>
        <input
          id={search}
          type="search"
          value={filter.text ?? ""}
          onChange={({ target }) => show({ text: target.value }, true)}
        />
      </span>
      <Choice
        label="Result"
        any="Every result"
        value={filter.result}
        options={logResults.map((result) => [result, resultNames[result]])}
        onChoose={(result) => show({ result })}
      />
      <Choice
        label="Because"
        any="Every reason"
        value={filter.because}
        options={choices.reasons.map((reason) => [reason, reason])}
        onChoose={(because) => show({ because })}
      />
      <Choice
        label="Object"
        any="Every object"
        value={filter.object}
        options={choices.objects.map(({ key, name }) => [key, name])}
        onChoose={(object) => show({ object })}
      />
      <Choice
        label="Controller"
        any="Every controller"
        value={filter.controller}
        options={choices.controllers.map((controller) => [controller, controller])}
        onChoose={(controller) => show({ controller })}
      />
      {Object.keys(filter).length === 0 ? null : (
        <PageLink to={{ page: "plan-log", filter: {} }} className="filter-clear">
          Show everything
        </PageLink>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly any: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  const field = useId();
  return (
    <span className="filter">
      <label htmlFor={field}>{label}</label>
      <select id={field} value={value ?? ""} onChange={({ target }) => onChoose(target.value)}>
        <option value="">{any}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
