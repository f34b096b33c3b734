// A wall clock that jumps while a page is open. Guarantees: all times of a batch are by the clock as it was when the batch was
// made, so that one offset fits them all. The client says with each event how far its wall clock had moved away from the
// clock of the page (`_dd.drift`); a view keeps the date of its beginning while its drift is that of the moment.

/** Milliseconds. Clocks that are set to the right time move by less. */
const smallestJump = 60_000

/** What to add to the date of an event whose drift was `own`, where the drift was `latest` in the end. */
export function eventShift(own: number, latest: number): number {
  return Math.abs(latest - own) > smallestJump ? latest - own : 0
}

interface ViewClock {
  startedAt: number
  /** How long it was there by then. */
  lasted: number
  drift: number
  /** When its batch was made. */
  sentAt: number
}

/** What to add to the date of a view: its drift, where it ends nearer to the moment with it than without. */
export function viewShift({ startedAt, lasted, drift, sentAt }: ViewClock): number {
  if (Math.abs(drift) <= smallestJump) return 0
  const distance = (shift: number) => Math.abs(sentAt - (startedAt + shift + lasted))
  return distance(drift) < distance(0) ? drift : 0
}
