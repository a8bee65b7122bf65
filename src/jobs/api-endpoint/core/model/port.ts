// A port that balancers listen on: its number, and the protocol spoken there. Which listener stands on a port, in which order ports are
// served, what a part of one speaks, and how names and messages tell ports apart is said here and nowhere else.

/** An API server ends TLS itself, and understands no PROXY header. */
export type Protocol = "TCP";

export interface Port {
  readonly number: number;
  readonly protocol: Protocol;
}

/** Of the part of a balancer that is seen. */
interface Speaking {
  readonly protocol: string;
}

export function tcpPort(number: number): Port {
  return { number, protocol: "TCP" };
}

export function isSamePort(one: Port, other: Port): boolean {
  return one.number === other.number && one.protocol === other.protocol;
}

/** Without the first, each once, ascending. */
export function portsBeside(first: Port, others: readonly Port[]): readonly Port[] {
  return others
    .filter((port, index) => others.findIndex((one) => isSamePort(one, port)) === index && !isSamePort(port, first))
    .toSorted((one, other) => one.number - other.number || (one.protocol < other.protocol ? -1 : 1));
}

/** Whether a listener stands where the port's own should be: nothing else can listen there. */
export function isOn(listener: Speaking & { readonly port: number }, port: Port): boolean {
  return listener.port === port.number && transportOf(listener) === transportOf(port);
}

/** Octavia cannot change it once a part is made: a listener that speaks otherwise is somebody else's, a pool is made again. */
export function isSpokenOn({ protocol }: Speaking, port: Port): boolean {
  return protocol === port.protocol;
}

/** What Octavia's health monitors call the question that suits the protocol. It cannot be changed either. */
export function monitorTypeOf({ protocol }: Port): string {
  return monitorTypes[protocol];
}

const monitorTypes: Readonly<Record<Protocol, string>> = { TCP: "TCP" };

/** A UDP or SCTP listener may share the number of one over TCP, which carries all the others. */
function transportOf({ protocol }: Speaking): string {
  return protocol === "UDP" || protocol === "SCTP" ? protocol : "TCP";
}

/** As the names of a port's listener, pool and monitor end. */
export function portSuffix({ number }: Port): string {
  return `${number}`;
}

/** The port that such a name was given for, and all that stands before its suffix. */
export function splitPortName(name: string): { readonly before: string; readonly port: Port } | undefined {
  const [, before, number] = /^(.*)-(\d{1,5})$/s.exec(name) ?? [];
  return before === undefined ? undefined : { before, port: tcpPort(Number(number)) };
}

/** As people read it behind the word port. */
export function portWords({ number }: Port): string {
  return `${number}`;
}
