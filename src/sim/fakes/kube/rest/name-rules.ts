// What names, labels and qualified keys must look like. Each rule answers with what is wrong, in the real server's words.

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const configKey = /^[-._a-zA-Z0-9]+$/;

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const qualifiedRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const configKeyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function subdomainProblems(name: string): readonly string[] {
  return [...tooLong(name, 253), ...(dnsSubdomain.test(name) ? [] : [subdomainRule])];
}

export function labelProblems(name: string): readonly string[] {
  return [...tooLong(name, 63), ...(dnsLabel.test(name) ? [] : [labelRule])];
}

export function pathSegmentProblems(name: string): readonly string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

export function labelValueProblems(value: string): readonly string[] {
  return [...tooLong(value, 63), ...(labelValue.test(value) ? [] : [valueRule])];
}

export function configKeyProblems(key: string): readonly string[] {
  if (key === "." || key === "..") return [`must not be '${key}'`];
  return [...tooLong(key, 253), ...(configKey.test(key) ? [] : [configKeyRule])];
}

/** `name` or `prefix/name`, as label and annotation keys are. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const parts = key.split("/");
  if (parts.length > 2)
    return [
      `a qualified name ${qualifiedRule.slice("name part ".length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = parts.at(-1) ?? "";
  const problems: string[] = [];
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === "") problems.push("prefix part must be non-empty");
  else if (prefix !== undefined) problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > 63) problems.push("name part must be no more than 63 bytes");
  if (!qualifiedName.test(name)) problems.push(qualifiedRule);
  return problems;
}

function tooLong(text: string, limit: number): readonly string[] {
  return text.length > limit ? [`must be no more than ${limit} bytes`] : [];
}
