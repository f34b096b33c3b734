// The two clocks of a page: milliseconds since 1970, as on the wire, and milliseconds since the page started.

export function sinceBegin(): number {
  return globalThis.performance ? performance.now() : 0
}

/** Converts `performance` time to the other clock. Computed each time, because the two drift when a computer sleeps. */
export function toInstant(counted: number): number {
  return Date.now() - sinceBegin() + counted
}
