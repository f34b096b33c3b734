// The two clocks of a page: milliseconds since 1970, as the wire has them, and those since the page began.

export function sinceBegin(): number {
  return globalThis.performance ? performance.now() : 0
}

/** What `performance` counted, on the other clock. A computer that slept makes the two drift: asked anew each time. */
export function toInstant(counted: number): number {
  return Date.now() - sinceBegin() + counted
}
