// Numbers as people read them: three digits that count, and a unit.

const number = new Intl.NumberFormat("en");

/** @param {number} value @returns {string} */
export function digits(value) {
  if (value >= 1000) return number.format(Math.round(value));
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** @param {number} micros @returns {[string, string]} value and unit */
export function duration(micros) {
  if (micros < 1000) return [digits(micros), "µs"];
  if (micros < 1e6) return [digits(micros / 1000), "ms"];
  return [digits(micros / 1e6), "s"];
}

/** @param {number} bytes @returns {[string, string]} */
export function size(bytes) {
  if (bytes < 1000) return [String(bytes), "B"];
  if (bytes < 1e6) return [digits(bytes / 1000), "kB"];
  return bytes < 1e9 ? [digits(bytes / 1e6), "MB"] : [digits(bytes / 1e9), "GB"];
}

export const count = (value) => number.format(value);
