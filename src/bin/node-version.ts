// Whether the Node that runs this program is new enough. The oldest Node must be able to read this file, so that it can say that it is too
// old: no syntax that is newer than modules themselves.

/** One sentence when it is too old. `wanted` is as package.json has it: `>=22.12`. */
export function nodeTooOld(version: string, wanted: string): string | undefined {
  const lowest = wanted.replace(">=", "");
  const [major, minor] = numbersIn(version);
  const [lowestMajor, lowestMinor] = numbersIn(lowest);
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return undefined;
  return `Mainstay needs Node ${lowest} or newer; this is ${major}.${minor}. Install a newer Node.`;
}

function numbersIn(version: string): [number, number] {
  const [major, minor] = version.split(".").map(Number);
  return [major || 0, minor || 0];
}
