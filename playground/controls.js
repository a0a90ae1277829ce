// A planner's picker and its keys, made from the catalog: nothing here knows a planner by name.

import { make } from "./dom.js";
import { about } from "./explain.js";
import { isUsable, readSpec, writeSpec } from "./spec.js";

const HIDDEN_KEYS = new Set(["index"]); // files are no matter of a page

/** @param {import("./octile/octile.js").PlannerInfo[]} planners @param {(name: string) => void} choose */
export function plannerPicker(planners, choose, label) {
  const select = make("select.planner-picker", { "aria-label": label, onchange: () => choose(select.value) });
  for (const [title, group] of grouped(planners)) {
    const options = group.map((planner) => make("option", { value: planner.name }, about(planner.name).title));
    select.append(make("optgroup", { label: title }, ...options));
  }
  return select;
}

/** @param {import("./octile/octile.js").PlannerInfo[]} planners */
function grouped(planners) {
  /** @type {[string, import("./octile/octile.js").PlannerInfo[]][]} */
  const groups = [
    ["Search, nothing prepared", []],
    ["Search, prepared", []],
    ["Looked up in an index", []],
    ["Any angle", []],
  ];
  for (const planner of planners) groups[groupOf(planner)][1].push(planner);
  return groups.filter(([, group]) => group.length > 0);
}

function groupOf({ isAnyAngle, index }) {
  if (isAnyAngle) return 3;
  return { none: 0, map: 1, corners: 2, "all-pairs": 2 }[index] ?? 1;
}

/**
 * The keys of a planner as a form.
 * @param {import("./octile/octile.js").PlannerInfo} planner @param {string} spec
 * @param {boolean} isAnyAngle what its paths are @param {(spec: string) => void} change
 */
export function keyForm(planner, spec, isAnyAngle, change) {
  const { name, values } = readSpec(spec);
  const form = make("div.keys");
  const set = (key, value) => {
    const isLeftOut = value === (key.default ?? "") && !planner.required.includes(key.name);
    const next = { ...values, [key.name]: isLeftOut ? "" : value };
    for (const other of planner.keys) if (other !== key && !isUsable(other, next, isAnyAngle)) delete next[other.name];
    change(writeSpec(name, next));
  };
  for (const key of planner.keys) {
    if (HIDDEN_KEYS.has(key.name)) continue;
    const value = values[key.name] ?? key.default ?? "";
    // Whatever its value: it can still be changed to one that may be used.
    const usable = isUsable(key, { ...values, [key.name]: "" }, isAnyAngle);
    form.append(keyField(key, value, usable, (next) => set(key, next)));
  }
  form.append(helpLine(form));
  return form;
}

/** What a key means, for the one that is pointed at or has the focus: fingers know no titles. */
function helpLine(form) {
  const line = make("p.key-help", { "aria-hidden": "true" });
  const show = (event) => {
    const row = event.target.closest(".key");
    if (row) line.textContent = `${row.firstChild.textContent}: ${row.title}`;
  };
  form.addEventListener("focusin", show);
  form.addEventListener("pointerover", show);
  return line;
}

function keyField(key, value, usable, set) {
  const note = usable
    ? key.help
    : `${key.help}. Needs ${key.needs ? `${key.needs.key}=${key.needs.value}` : "any-angle paths, such as smooth=greedy makes"}.`;
  const isSwitch = key.choices.length === 2 && key.choices.includes("on") && key.choices.includes("off");
  const control = isSwitch
    ? toggle(value, set)
    : key.choices.length > 0
      ? choice(key, value, set)
      : text(key, value, set);
  control.disabled = !usable;
  control.setAttribute("aria-label", `${key.name}: ${note}`);
  const row = make(
    isSwitch ? "label.key.key-switch" : "label.key",
    { title: note },
    make("span.key-name", {}, key.name),
    control,
  );
  if (!usable) row.classList.add("is-off");
  return row;
}

function toggle(value, set) {
  return make("input", {
    type: "checkbox",
    checked: value === "on",
    onchange: (event) => set(event.target.checked ? "on" : "off"),
  });
}

function choice(key, value, set) {
  const choices = key.choices.includes(key.default) || !key.default ? key.choices : [key.default, ...key.choices];
  const select = make("select", { onchange: () => set(select.value) });
  if (!key.default) select.append(make("option", { value: "" }, "default"));
  for (const one of choices) select.append(make("option", { value: one }, one));
  select.value = value;
  return select;
}

function text(key, value, set) {
  return make("input", {
    type: "text",
    value,
    placeholder: key.takes,
    spellcheck: false,
    autocomplete: "off",
    onchange: (event) => set(event.target.value.trim()),
  });
}
