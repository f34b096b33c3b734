// How many users a decision takes, where only a condition on their number is known.

/** More than any site has. */
const mostPeople = 1e12

/** The least number of users for which a condition holds, to a thousandth; it holds for every larger one. */
export function leastThat(holds: (people: number) => boolean): number | undefined {
  let above = 2
  while (!holds(above)) {
    above *= 2
    if (above > mostPeople) return undefined
  }
  let below = above / 2
  while (above - below > Math.max(1, above / 1_000)) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return Math.ceil(above)
}
