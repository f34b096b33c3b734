// Errors caught while rendering the console. The console's own client starts after the first errors may occur:
// they are queued, up to a maximum.

type ReportCaught = (error: unknown, componentStack: string) => void

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
  // biome-ignore lint/suspicious/noConsole: React's default without a handler; developers look there.
  console.error(error, componentStack)
  report(error, componentStack ?? '')
}

export function reportCaughtTo(next: ReportCaught): void {
  report = next
  for (const caught of waiting) report(...caught)
  waiting = []
}
