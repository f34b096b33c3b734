// Wraps every library function that the page calls: errors are caught and reported.

let report: (fault: unknown) => void = () => undefined

export function onFault(listener: (fault: unknown) => void): void {
  report = listener
}

export function guarded<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      return run(...args)
    } catch (fault) {
      report(fault)
      return undefined
    }
  }
}
