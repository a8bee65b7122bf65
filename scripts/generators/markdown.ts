// The few shapes of Markdown that generated pages share.

export function generatedNote(...from: readonly string[]): string {
  const files = from.map((one) => `\`${one}\``).join(" and ");
  return `Generated from ${files} by \`npm run generate\`; edit that, not this page.`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
