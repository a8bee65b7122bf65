// A state by shape, word and colour together, so that each of them alone is enough to recognise it.

import type { Health, PlanLogEntry } from "../../core/views/object-view.ts";
import { healthMeanings, healthNames } from "../words/health.ts";
import { healthTones, partTones, resultNames, resultTones, type Tone } from "../words/results.ts";

export type Shape = "check" | "clock" | "alert" | "stop" | "question" | "skip";

const paths: Readonly<Record<Shape, string>> = {
  check: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M5 8.2l2.1 2.1L11 6.2",
  clock: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 4.6V8l2.3 1.6",
  alert: "M8 1.8 14.8 14H1.2zM8 6.4v3.4M8 11.9v.1",
  stop: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M4.9 8h6.2",
  question: "M2.2 2.2h11.6v11.6H2.2zM6.2 6.4c.2-2 3.7-1.9 3.6.1 0 1.3-1.8 1.4-1.8 2.7M8 11.5v.1",
  skip: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M4.6 11.4l6.8-6.8",
};

const healthShapes: Readonly<Record<Health, Shape>> = {
  healthy: "check",
  progressing: "clock",
  degraded: "alert",
  unhealthy: "alert",
  refused: "stop",
  unknown: "question",
};

const resultShapes: Readonly<Record<PlanLogEntry["result"] | "planned", Shape>> = {
  done: "check",
  failed: "alert",
  skipped: "skip",
  waiting: "clock",
  refused: "stop",
  noticed: "alert",
  planned: "clock",
};

export interface MarkProps {
  readonly shape: Shape;
  readonly tone: Tone;
  readonly word: string;
  readonly title?: string;
}

export function Mark({ shape, tone, word, title }: MarkProps) {
  return (
    <span className="mark" data-tone={tone} title={title}>
      <Icon shape={shape} />
      {word}
    </span>
  );
}

function Icon({ shape }: { readonly shape: Shape }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[shape]} />
    </svg>
  );
}

/** In the tone of what surrounds it. Words beside it say the same. */
export function HealthIcon({ health }: { readonly health: Health }) {
  return <Icon shape={healthShapes[health]} />;
}

export function HealthMark({ health, ofPart = false }: { readonly health: Health; readonly ofPart?: boolean }) {
  return (
    <Mark
      shape={healthShapes[health]}
      tone={(ofPart ? partTones : healthTones)[health]}
      word={healthNames[health]}
      title={healthMeanings[health]}
    />
  );
}

export function ResultMark({ result }: { readonly result: PlanLogEntry["result"] | "planned" }) {
  return <Mark shape={resultShapes[result]} tone={resultTones[result]} word={resultNames[result]} />;
}
