// Compares two sessions: how similar they are, and which of their steps correspond, so that replays can be watched step
// by step although one session took longer.

export interface Walk {
  /** Pages in the order viewed. */
  pages: readonly string[]
  device: string
  country: string
  browser: string
  /** Hour of the day, from 0 to below 24. */
  hour: number
}

interface Closeness {
  /** Similarity from 0 to 1; 1 when everything compared is equal. */
  whole: number
  /** Share of the page sequence that both have in common. */
  pages: number
  sameDevice: boolean
  sameCountry: boolean
  sameBrowser: boolean
  hoursApart: number
}

/** The page sequence has the highest weight: users on other pages did other things. */
const weights = { pages: 0.55, device: 0.2, country: 0.1, hour: 0.1, browser: 0.05 }
const halfDay = 12
/** Only the first pages of longer sequences are compared. */
export const pagesCompared = 50

export function closenessOf(one: Walk, other: Walk): Closeness {
  const [first, second] = [one.pages.slice(0, pagesCompared), other.pages.slice(0, pagesCompared)]
  const longest = Math.max(first.length, second.length)
  const pages = longest === 0 ? 0 : alignSteps(first, second).length / longest
  const apart = Math.abs(one.hour - other.hour)
  const hoursApart = Math.min(apart, 24 - apart)
  const same = {
    sameDevice: one.device === other.device,
    sameCountry: one.country === other.country,
    sameBrowser: one.browser === other.browser,
  }
  const whole =
    weights.pages * pages +
    weights.hour * (1 - hoursApart / halfDay) +
    (same.sameDevice ? weights.device : 0) +
    (same.sameCountry ? weights.country : 0) +
    (same.sameBrowser ? weights.browser : 0)
  return { whole, pages, ...same, hoursApart }
}

/** Similar enough to compare: at least half of the page sequence, on the same kind of device. */
export function isCloseMatch({ pages, sameDevice }: Closeness): boolean {
  return pages >= 0.5 && sameDevice
}

/** Index pairs of a longest common subsequence; the earliest where there are several. */
export function alignSteps(
  first: readonly string[],
  second: readonly string[],
): [first: number, second: number][] {
  const width = second.length + 1
  // Length of the longest common subsequence of both remainders, from each pair of indices on.
  const common = new Uint16Array((first.length + 1) * width)
  const at = (one: number, other: number) => common[one * width + other] ?? 0
  for (let one = first.length - 1; one >= 0; one -= 1) {
    for (let other = second.length - 1; other >= 0; other -= 1) {
      common[one * width + other] =
        first[one] === second[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1))
    }
  }
  const pairs: [number, number][] = []
  let [one, other] = [0, 0]
  while (one < first.length && other < second.length) {
    if (first[one] === second[other] && at(one, other) === at(one + 1, other + 1) + 1) {
      pairs.push([one, other])
      one += 1
      other += 1
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1
    else other += 1
  }
  return pairs
}
