// How long things took lately. Browsers blur their clocks, by up to a tenth of a millisecond: what takes microseconds is timed in batches.

/** A percentile of batches that took no longer than a few ticks of the clock would say more about the clock than about the work. */
const isFair = ({ count, ms }) => count >= 8 || ms >= 1;

/** The smallest step that a clock makes, in milliseconds; 0 if it makes none. @param {() => number} clock */
export function stepOf(clock) {
  let [step, last] = [Infinity, clock()];
  for (let looks = 0, steps = 0; looks < 1_000_000 && steps < 5; looks++) {
    const now = clock();
    if (now === last) continue;
    step = Math.min(step, now - last);
    last = now;
    steps += 1;
  }
  return Number.isFinite(step) ? step : 0;
}

/** Batches of the last `windowMs`. A batch is `count` pieces of work that took `ms` together. */
export class Timings {
  /** @type {{at: number, count: number, ms: number}[]} */
  #batches = [];

  constructor(windowMs = 1000) {
    this.windowMs = windowMs;
  }

  /** @param {number} at when it ended, in milliseconds @param {number} count @param {number} ms */
  add(at, count, ms) {
    if (count === 0) return;
    this.#batches.push({ at, count, ms });
  }

  /**
   * Mean of one piece of work, and what 99 of 100 stay below when each counts as the mean of its batch. NaN: nothing to tell.
   * @param {number} now
   */
  summary(now) {
    this.#batches = this.#batches.filter(({ at }) => at > now - this.windowMs);
    const count = this.#batches.reduce((sum, batch) => sum + batch.count, 0);
    const ms = this.#batches.reduce((sum, batch) => sum + batch.ms, 0);
    return {
      count,
      micros: (1000 * ms) / count,
      p99Micros: 1000 * this.#percentile(0.99),
      perSecond: (1000 * count) / this.windowMs,
    };
  }

  #percentile(share) {
    const fair = this.#batches.filter(isFair).sort((a, b) => a.ms / a.count - b.ms / b.count);
    let left = share * fair.reduce((sum, { count }) => sum + count, 0);
    for (const { count, ms } of fair) {
      left -= count;
      if (left <= 1e-9) return ms / count;
    }
    return NaN;
  }
}
