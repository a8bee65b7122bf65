// keepalived as a gateway's agent uses it. Who implements it keeps the program running; a dead one takes its addresses along.

export interface Keepalived {
  /** Whether keepalived would take the configuration; changes nothing. Rejects with what it said. */
  check(configuration: string): Promise<void>;
  /** Starts keepalived with it, or has it read it again. An equal configuration changes nothing. */
  use(configuration: string): Promise<void>;
  /** By its track file: an instance that is not ready leads only where no other is ready. */
  setReady(ready: boolean): Promise<void>;
  state(): Promise<KeepalivedState>;
  version(): Promise<string>;
  /** Ends keepalived and removes its addresses. */
  stop(): Promise<void>;
}

export interface KeepalivedState {
  readonly running: boolean;
  /** By name of the instance. */
  readonly roles: ReadonlyMap<string, VrrpRole>;
}

export type VrrpRole = "master" | "backup" | "fault" | "unknown";
