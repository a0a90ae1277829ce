// Which of the files that came together is what, by their names.

/** @type {[RegExp, string][]} */
const KINDS = [
  [/\.(map|txt)$/i, "texts"],
  [/\.(png|pgm)$/i, "pictures"],
  [/\.ya?ml$/i, "yamls"],
  [/\.scen$/i, "scenarios"],
  [/\.octx$/i, "indexes"],
];

/**
 * One map at most: a ROS pair before a map before a picture. A yaml without its picture comes back alone.
 * @template {{name: string}} F @param {F[]} files
 * @returns {{map: F | null, yaml: F | null, scenarios: F[], indexes: F[], strangers: F[]}}
 */
export function sortFiles(files) {
  const sorted = { texts: [], pictures: [], yamls: [], scenarios: [], indexes: [], strangers: [] };
  for (const file of files) sorted[KINDS.find(([pattern]) => pattern.test(file.name))?.[1] ?? "strangers"].push(file);
  const yaml = sorted.yamls[0] ?? null;
  const map = yaml ? (likeliest(yaml, sorted.pictures) ?? null) : (sorted.texts[0] ?? sorted.pictures[0] ?? null);
  return { map, yaml, scenarios: sorted.scenarios, indexes: sorted.indexes, strangers: sorted.strangers };
}

/** The picture with the yaml's own name, else the first. */
function likeliest(yaml, pictures) {
  const stem = (name) => name.replace(/\.[^.]*$/, "").toLowerCase();
  return pictures.find(({ name }) => stem(name) === stem(yaml.name)) ?? pictures[0];
}
