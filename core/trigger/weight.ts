/** What an empty object or a number takes, about. */
const LEAST = 8;

/**
 * About how many bytes a value takes as JSON. It stops counting at a limit, so that a huge object costs no more than a
 * large one.
 */
export function weigh(value: unknown, limit = 4 * 1024 * 1024): number {
  let total = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && total < limit) {
    const next = open.pop();
    if (typeof next === 'string') total += next.length + 2;
    else if (Array.isArray(next)) {
      total += LEAST;
      for (const item of next as unknown[]) open.push(item);
    } else if (typeof next === 'object' && next !== null) {
      total += LEAST;
      for (const [key, field] of Object.entries(next)) {
        total += key.length + 3;
        open.push(field);
      }
    } else total += LEAST;
  }
  return total;
}
