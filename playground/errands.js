// One-off work in a worker of its own: pictures, traces, many problems at once. Each errand gets a fresh planner, so that no lane waits.

/** @typedef {{map: import("./world.js").MapData, spec: string, indexes?: Uint8Array[]}} Setting what an errand is about */

/**
 * @param {string} job one of those in errands-worker.js
 * @param {Record<string, any>} about a setting and what the job needs besides
 * @param {{onProgress?: (progress: any) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export function runErrand(job, about, { onProgress, signal } = {}) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./errands-worker.js", import.meta.url), { type: "module" });
    const finish = (settle, value) => {
      worker.terminate();
      settle(value);
    };
    signal?.addEventListener("abort", () => finish(reject, new DOMException("Stopped.", "AbortError")));
    worker.onerror = (event) => finish(reject, new Error(event.message || "The worker could not be loaded."));
    worker.onmessage = ({ data }) => {
      if (data.progress) onProgress?.(data.progress);
      else if (data.problem)
        finish(reject, Object.assign(new Error(data.problem.message), { name: data.problem.name }));
      else finish(resolve, data.result);
    };
    worker.postMessage({ job, ...about });
  });
}

/** What a lane shows, as an errand needs it. @param {import("./main.js").App} app @param {any} [lane] @returns {Setting} */
export function settingOf(app, lane = app.lanes[0]) {
  const { width, height, blocked, prices, convention, movement, start, goal, name, hasPrices } = app.world;
  const map = { width, height, blocked, prices: hasPrices ? prices : null, convention, movement, start, goal, name };
  return { map, spec: lane.spec, indexes: lane.indexes };
}
