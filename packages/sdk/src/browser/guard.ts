// Wraps every library function that the page calls: errors are caught and reported. Each part that is loaded later has
// this module for itself.

export type ReportFault = (fault: unknown) => undefined

let report: ReportFault = () => undefined

export function onFault(listener: ReportFault): void {
  report = listener
}

/** For promises that are not awaited. */
export function reportFault(fault: unknown): undefined {
  return report(fault)
}

export function guarded<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      return run(...args)
    } catch (fault) {
      return report(fault)
    }
  }
}
