/**
 * Now as RFC 3339, or a millisecond after another time that is not over yet: two restarts never have the same time, however
 * soon they follow each other and whatever clocks they were asked by. With the optimistic lock of each write, two at once
 * are two.
 *
 * @param now ms since 1970
 */
export function laterTime(now: number, before: string | undefined): string {
  // Digits below the millisecond are cut off, so a whole one is added.
  const past = before === undefined ? Number.NaN : Date.parse(before);
  return new Date(Number.isNaN(past) ? now : Math.max(now, past + 1)).toISOString();
}
