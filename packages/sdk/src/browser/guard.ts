// Everything of ours that the page calls goes through here: what it throws stays here and is reported, and what it costs is
// counted. Over its budget, what can be left out is left out until the minute is over.

import { sinceBegin } from './time.ts'

const minute = 60_000
/** Of a minute: one per cent of the page's main thread. */
const budget = 600

let depth = 0
let spent = 0
let beganAt = 0
let report: (fault: unknown) => void = () => undefined

export function onFault(listener: (fault: unknown) => void): void {
  report = listener
}

export function guarded<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
  canWait = false,
): (...args: Args) => Result | undefined {
  return (...args) => {
    const before = sinceBegin()
    if (before - beganAt > minute) {
      beganAt = before
      spent = 0
    }
    if (canWait && spent > budget) return undefined
    depth++
    try {
      return run(...args)
    } catch (fault) {
      report(fault)
      return undefined
    } finally {
      if (--depth === 0) spent += sinceBegin() - before
    }
  }
}

/** For what can be left out while the page has no time for it. */
export function spared<Args extends unknown[], Result>(run: (...args: Args) => Result) {
  return guarded(run, true)
}
