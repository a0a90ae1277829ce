// Light or dark: as the system says, until the reader says otherwise. Runs before the page is drawn.

const KEY = "octile-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} */
export function theme() {
  const chosen = document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");
  return chosen === "dark" ? "dark" : "light";
}

export function toggleTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(next);
  tell();
}

/** @param {(theme: "light" | "dark") => void} listener */
export function onTheme(listener) {
  listeners.push(listener);
}

const listeners = [];
const tell = () => listeners.forEach((listener) => listener(theme()));
system.addEventListener("change", tell);

/** A page from a file, or one whose storage is closed, does without a memory. */
function remember(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // nothing is lost but the choice
  }
}

function recall() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const chosen = recall();
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
