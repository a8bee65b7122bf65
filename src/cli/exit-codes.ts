// The exit codes of commands. Documented in docs/reference/cli.md and in --help; guides say what they mean for their commands.

export const exitCodes = {
  /** Done, or everything is as it should be. */
  ok: 0,
  /** The answer is no: a check failed, or the change was refused. */
  refused: 1,
  /** What was given to the command cannot be used. */
  invalid: 2,
  /** The cluster did not answer, or does not allow it. */
  cluster: 3,
  /** A bug in Mainstay. */
  unexpected: 4,
  /** No object in the cluster has the name. Of its own: a script must not take it for an answer (1) or for a mistake in a flag (2). */
  notFound: 5,
} as const;

export const exitCodeHelp = `
Exit codes: 0 done, 1 refused or not as it should be, 2 invalid input, 3 the cluster does not answer or allow it, 4 unexpected, 5 no object has the name.`;
