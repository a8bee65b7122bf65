// Rules with values they accept and values they refuse. Each becomes a property of its own in one CRD.

export interface RuleCase {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly rule: string;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const text = { type: "string", maxLength: 40 };
const texts = { type: "array", maxItems: 6, items: text };
const integers = { type: "array", maxItems: 6, items: { type: "integer" } };
const integer = { type: "integer" };
const pair = { type: "object", properties: { min: integer, max: integer, "a-b": integer, note: text } };
const numbersByName = { type: "object", maxProperties: 4, additionalProperties: integer };
const items = { type: "array", maxItems: 4, items: { type: "object", properties: { name: text, size: integer } } };

function rule(
  schema: RuleCase["schema"],
  source: string,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
): RuleCase {
  return { schema, rule: source, accepts, refuses };
}

export const ruleCases: readonly RuleCase[] = [
  // Fields, presence, optionals.
  rule(pair, "self.min <= self.max", [{ min: 1, max: 1 }], [{ min: 2, max: 1 }, { min: 1 }]),
  rule(pair, "!has(self.min) || has(self.max)", [{}, { max: 1 }, { min: 1, max: 2 }], [{ min: 1 }]),
  rule(pair, "self.?min.orValue(5) == 5", [{}, { min: 5 }], [{ min: 4 }]),
  rule(pair, "self.?min.optMap(m, m * 2).orValue(0) < 10", [{}, { min: 4 }], [{ min: 5 }]),
  rule(pair, "self.a__dash__b == 1", [{ "a-b": 1 }], [{ "a-b": 2 }]),
  rule(pair, "self.?note.hasValue() ? self.note.size() > 1 : true", [{}, { note: "ab" }], [{ note: "a" }]),
  // Lists, maps, comprehensions.
  rule(items, "self.all(i, i.size > 0)", [[], [{ size: 1 }]], [[{ size: 0 }], [{}]]),
  rule(items, "self.exists(i, i.name == 'x')", [[{ name: "y" }, { name: "x" }]], [[], [{ name: "y" }]]),
  rule(
    items,
    "self.exists_one(i, i.name == 'x')",
    [[{ name: "x" }]],
    [[{ name: "x" }, { name: "x" }], [{ name: "y" }]],
  ),
  rule(
    items,
    "self.filter(i, has(i.size)).map(i, i.size).sum() < 10",
    [[{ size: 4 }, { size: 5 }, {}]],
    [[{ size: 5 }, { size: 5 }]],
  ),
  rule(
    items,
    "self.all(i, v, i == 0 || v.size > self[i - 1].size)",
    [[{ size: 1 }, { size: 2 }]],
    [[{ size: 2 }, { size: 2 }]],
  ),
  rule(items, "self.transformList(i, v, v.name) == ['a', 'b']", [[{ name: "a" }, { name: "b" }]], [[{ name: "a" }]]),
  rule(numbersByName, "self.all(k, k.startsWith('a') && self[k] > 0)", [{}, { a1: 1 }], [{ a1: 0 }, { b: 1 }]),
  rule(numbersByName, "self.exists(k, v, v > 5)", [{ a: 6 }], [{ a: 5 }, {}]),
  rule(numbersByName, "'x' in self && self.x == 1 && self['x'] == 1", [{ x: 1 }], [{ x: 2 }, { y: 1 }]),
  rule(texts, "self == ['a', 'b']", [["a", "b"]], [["b", "a"]]),
  rule(texts, "size(self) > 1 && self[1] == 'b'", [["a", "b"]], [["a"]]),
  rule(
    texts,
    "self.isSorted() && self.indexOf('b') == 1 && self.lastIndexOf('z') == -1",
    [["a", "b", "c"]],
    [["b", "a"]],
  ),
  rule(texts, "self.join('+') == 'a+b' && self.join() == 'ab'", [["a", "b"]], [["a"]]),
  rule(texts, "self.distinct().size() == self.size()", [["a", "b"]], [["a", "a"]]),
  rule(texts, "self.sort().reverse().first().orValue('') == 'z'", [["z", "a"]], [["a"], []]),
  rule(
    texts,
    "sets.contains(self, ['a', 'b']) && !sets.intersects(self, ['x'])",
    [["b", "a", "c"]],
    [["a"], ["a", "b", "x"]],
  ),
  rule(texts, "sets.equivalent(self, ['a', 'b'])", [["b", "a", "a"]], [["a"]]),
  rule(integers, "self.min() == 1 && self.max() == 3 && self.sum() == 6", [[3, 1, 2]], [[1, 3], []]),
  rule(integers, "self.slice(0, 2) == lists.range(2)", [[0, 1, 7]], [[1, 0], [0]]),
  rule(integers, "self.all(i, i in [1, 2])", [[1, 2, 1]], [[3]]),
  // Strings and patterns.
  rule(text, "self.matches('^[a-z]+$')", ["abc"], ["aBc", ""]),
  rule(text, "self.matches(r'\\d')", ["a1"], ["a"]),
  rule(text, "self.find('[0-9]+') == '12' && self.findAll('[0-9]').size() == 3", ["a12b3"], ["a12"]),
  rule(text, "self.split(',').map(x, x.trim()) == ['a', 'b']", ["a, b"], ["a,b,c"]),
  rule(text, "self.replace('a', 'b') == 'bb' && self.replace('a', 'b', 1) == 'ba'", ["aa"], ["ab"]),
  rule(text, "self.lowerAscii() == 'abc' && self.upperAscii() == 'ABC'", ["aBc"], ["abd"]),
  rule(text, "self.charAt(1) == 'b' && self.substring(1) == 'bc' && self.indexOf('c') == 2", ["abc"], ["acb"]),
  rule(text, "'%s has %d and %.1f'.format([self, 3, 1.25]) == 'x has 3 and 1.2'", ["x"], ["y"]),
  rule(text, "self.startsWith('a') && self.endsWith('z') && self.contains('m')", ["amz"], ["az"]),
  rule(text, "self.size() == 2 && strings.quote(self) == '\"äö\"'", ["äö"], ["ab"]),
  // Numbers, conversions, union types.
  rule(integer, "self % 2 == 0 && self / 2 > 1 && -self < 0", [4], [3, 2]),
  rule({ type: "number" }, "self > 1 && double(int(self)) != self", [1.5], [2, 0.5]),
  rule(integer, "string(self) == '5' && int('5') == self", [5], [6]),
  rule(
    { "x-kubernetes-int-or-string": true },
    "type(self) == int ? self < 5 : self.endsWith('%')",
    [4, "5%"],
    [5, "5"],
  ),
  // Times.
  rule(
    { type: "string", format: "date-time" },
    "self > timestamp('2020-01-01T00:00:00Z') && self.getFullYear() < 2030",
    ["2025-06-01T00:00:00Z"],
    ["2019-01-01T00:00:00Z", "2031-01-01T00:00:00Z"],
  ),
  rule(
    { type: "string", format: "duration" },
    "self >= duration('1m') && self.getSeconds() < 3600",
    ["90s", "1m"],
    ["59s", "1h"],
  ),
  rule({ type: "string", format: "byte", maxLength: 20 }, "self == b'hi'", ["aGk="], ["aGo="]),
  // Kubernetes' own libraries.
  rule(
    text,
    "isIP(self) && ip(self).family() == 4 && !ip(self).isLoopback()",
    ["192.0.2.1"],
    ["::1", "127.0.0.1", "01.2.3.4", "x"],
  ),
  rule(text, "isIP(self) && ip.isCanonical(self)", ["2001:db8::1"], ["2001:DB8::1", "2001:db8:0::1"]),
  rule(text, "cidr('10.0.0.0/8').containsIP(self)", ["10.1.2.3"], ["11.0.0.1"]),
  rule(
    text,
    "isCIDR(self) && cidr('10.0.0.0/8').containsCIDR(self) && cidr(self).prefixLength() == 16",
    ["10.1.0.0/16"],
    ["11.0.0.0/16", "10.0.0.0/8", "10.1.0.0"],
  ),
  rule(text, "isCIDR(self) && cidr(self) == cidr(self).masked()", ["10.1.0.0/16", "2001:db8::/32"], ["10.1.0.1/16"]),
  rule(
    text,
    "isURL(self) && url(self).getScheme() == 'https' && url(self).getPort() == '8443'",
    ["https://a.example:8443/x"],
    ["https://a.example", "http://a.example:8443", "nope"],
  ),
  rule(
    text,
    "url(self).getHostname() == 'a' && url(self).getQuery()['q'] == ['1']",
    ["http://a:1/p?q=1"],
    ["http://b/p?q=1"],
  ),
  rule(text, "isQuantity(self) && quantity(self).isGreaterThan(quantity('1Gi'))", ["2Gi", "1100M"], ["1G", "x"]),
  rule(text, "quantity(self).isInteger() && quantity(self).asInteger() == 1500", ["1500", "1.5k"], ["1500m"]),
  rule(
    text,
    "isSemver(self) && semver(self).isLessThan(semver('2.0.0'))",
    ["1.9.9", "2.0.0-rc.1"],
    ["2.0.0", "v1", "1.2"],
  ),
  rule(text, "!format.dns1123Label().validate(self).hasValue()", ["a-b"], ["A", "-a", "a.b"]),
];
