// Corrects for wall clocks that jump while a page is open. Guarantees that all times of a batch follow the clock at the
// time of sending, so that one offset fits them all. The client reports with each event how far its wall clock has
// moved from the page's monotonic clock (`_dd.drift`). A view keeps its start date, but its drift is the current one.

/** Milliseconds. Regular clock synchronization moves a clock by less. */
const smallestJump = 60_000

/** Correction for the date of an event with drift `own`, given the `latest` drift of the batch. */
export function eventShift(own: number, latest: number): number {
  return Math.abs(latest - own) > smallestJump ? latest - own : 0
}

interface ViewClock {
  startedAt: number
  /** Duration of the view when the batch was created. */
  lasted: number
  drift: number
  /** Creation time of the batch. */
  sentAt: number
}

/** Correction for the date of a view: its drift, when that moves the view's end closer to the time of sending. */
export function viewShift({ startedAt, lasted, drift, sentAt }: ViewClock): number {
  if (Math.abs(drift) <= smallestJump) return 0
  const distance = (shift: number) => Math.abs(sentAt - (startedAt + shift + lasted))
  return distance(drift) < distance(0) ? drift : 0
}
