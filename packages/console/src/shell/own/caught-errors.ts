// What the console caught while drawing itself. Whoever tells the console's own project of it comes later than the first
// errors: those wait, within a bound.

export type ReportCaught = (error: unknown, componentStack: string) => void

type Caught = Parameters<ReportCaught>

const waitingKept = 10
let waiting: Caught[] = []
let report: ReportCaught = (...caught) => {
  if (waiting.length < waitingKept) waiting.push(caught)
}

export function noteCaught(
  error: unknown,
  { componentStack }: { componentStack?: string | undefined },
): void {
  // biome-ignore lint/suspicious/noConsole: what React does itself where nobody listens; developers look there.
  console.error(error, componentStack)
  report(error, componentStack ?? '')
}

export function reportCaughtTo(next: ReportCaught): void {
  report = next
  for (const caught of waiting) report(...caught)
  waiting = []
}
