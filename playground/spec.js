// Specs, name:key=value,..., as forms need them: read into a table, and written with only what differs from the defaults.

/** @param {string} spec @returns {{name: string, values: Record<string, string>}} */
export function readSpec(spec) {
  const [name, rest = ""] = splitOnce(spec, ":");
  const values = {};
  for (const part of rest.split(",").filter(Boolean)) {
    const [key, value = ""] = splitOnce(part, "=");
    values[key.trim()] = value.trim();
  }
  return { name: name.trim(), values };
}

/** @param {Record<string, string>} values */
export function writeSpec(name, values) {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== "" && value != null)
    .map(([key, value]) => `${key}=${value}`);
  return parts.length > 0 ? `${name}:${parts.join(",")}` : name;
}

/**
 * Whether a key may be used beside the values given: prune=blocked-areas+gates has what gates=always needs.
 * @param {{name: string, needs?: {key: string, value: string, only?: string}, needsAnyAngle?: boolean}} key
 * @param {Record<string, string>} values @param {boolean} isAnyAngle what the paths are with them
 */
export function isUsable({ name, needs, needsAnyAngle }, values, isAnyAngle) {
  if (needsAnyAngle && !isAnyAngle) return false;
  if (!needs || (needs.only && needs.only !== values[name])) return true;
  return (values[needs.key] ?? "").split("+").includes(needs.value);
}

/**
 * A spec to begin with: the planner's name, or the first variant where it cannot do without a key.
 * @param {{name: string, variants: string[]}} planner @param {(spec: string) => unknown} check throws if it cannot be read
 */
export function firstSpec({ name, variants }, check) {
  for (const spec of [name, ...variants]) {
    try {
      check(spec);
      return spec;
    } catch {
      // the next one
    }
  }
  return name;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
