// A comment gives the reason itself, or links the page that does: a decision's number says nothing to who does not know the list.

export function decisionNumbers(path: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const named = /\bdecision \d+/i.exec(line)?.[0];
    if (named === undefined || /\bdocs\/decisions\/\d+-[a-z0-9-]+\.md\b/.test(line)) return [];
    return [`${path}:${index + 1}: ${named} is a number; say why, or link the page in docs/decisions`];
  });
}
