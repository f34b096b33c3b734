// How much is recorded in the time of a segment: a page that logs without end costs no more than this.

export interface Allowance {
  /** Whether another one may come; counts those that may not. */
  isOpen(): boolean
  spend(bytes: number): void
  /** How many were left out since it was asked. */
  takeLeft(): number
}

const every = 5_000

export function createAllowance(items: number, bytes: number, now: () => number): Allowance {
  let since = 0
  let usedItems = 0
  let usedBytes = 0
  let left = 0
  return {
    isOpen() {
      if (Math.abs(now() - since) > every) {
        since = now()
        usedItems = usedBytes = 0
      }
      const isOpen = usedItems < items && usedBytes < bytes
      if (isOpen) usedItems++
      else left++
      return isOpen
    },
    spend(size) {
      usedBytes += size
    },
    takeLeft() {
      const taken = left
      left = 0
      return taken
    },
  }
}
