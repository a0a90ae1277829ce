// A map as files that every octile reads: a MovingAI map, a drawing, or, where prices are too many for digits, letters with a price file.

/** @typedef {import("./world.js").MapData} MapData */
/** @typedef {{name: string, text: string}} TextFile */

/** Characters that stand for prices in a map of letters. "@" is blocked, and "/" begins comments in price files. */
const LETTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
  (letter) => !"@/".includes(letter),
);

/** The greatest price that a digit can say. */
export const MOST_DRAWN = 9;

/** A name that is good in files, links and programs: no blanks, no folders. @param {string} name */
export function fileStem(name) {
  const bare = name.replace(/\.(map|txt|png|pgm|ya?ml)$/i, "").normalize("NFKD");
  return (
    bare
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 60) || "map"
  );
}

/** Free cells with prices other than 1 count; what lies below walls does not. @param {MapData} map */
export function greatestPrice({ blocked, prices }) {
  let most = 1;
  for (let i = 0; prices && i < prices.length; i++) if (!blocked[i] && prices[i] > most) most = prices[i];
  return most;
}

/** The files that hold all of a map: one, or two where prices go beyond 9. @param {MapData} map @returns {TextFile[]} */
export function mapFiles(map) {
  const [stem, most] = [fileStem(map.name ?? "map"), greatestPrice(map)];
  if (most === 1) return [{ name: `${stem}.map`, text: toMapText(map) }];
  if (most <= MOST_DRAWN) return [{ name: `${stem}.txt`, text: toDrawing(map) }];
  return letterFiles(map, stem);
}

/** @param {MapData} map */
export function toMapText(map) {
  return header(map) + rows(map, (i) => (map.blocked[i] ? "@" : "."));
}

/** A drawing, with digits if there are prices up to 9. @param {MapData} map */
export function toDrawing(map) {
  const most = greatestPrice(map);
  const free = most > 1 && most <= MOST_DRAWN ? (i) => String(map.prices[i]) : () => ".";
  return rows(map, (i) => (map.blocked[i] ? "@" : free(i)));
}

function letterFiles(map, stem) {
  const values = [...new Set(map.prices.filter((_, i) => !map.blocked[i]))].sort((a, b) => a - b);
  if (values.length > LETTERS.length)
    throw new RangeError(`This map has ${values.length} different prices; a file holds up to ${LETTERS.length}.`);
  const letterOf = new Map(values.map((price, i) => [price, LETTERS[i]]));
  const text = header(map) + rows(map, (i) => (map.blocked[i] ? "@" : letterOf.get(map.prices[i])));
  const prices = [...letterOf].map(([price, letter]) => `${letter} ${price}\n`).join("");
  return [
    { name: `${stem}.map`, text },
    { name: `${stem}.map.prices`, text: `${prices}@ 0\n` },
  ];
}

function header({ width, height }) {
  return `type octile\nheight ${height}\nwidth ${width}\nmap\n`;
}

function rows({ width, height }, letterOf) {
  const lines = [];
  for (let y = 0; y < height; y++) {
    let line = "";
    for (let i = y * width; i < (y + 1) * width; i++) line += letterOf(i);
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}
