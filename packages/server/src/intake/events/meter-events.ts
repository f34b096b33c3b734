// Counts what was stored towards the usage of the project: events by application, and sessions at their first event.

import type { MeteredEnvironment, UsageCounts } from '../../organisation/usage/count-usage.ts'
import type { BatchContext } from './steps/step.ts'

interface StoredEvents {
  /** By context, how many of its events were stored. */
  kept: Iterable<readonly [BatchContext, number]>
  /** Of the batch; counted for the application with the most events. None if every event was dropped. */
  bytes?: number
}

export function meterEvents(
  usage: Pick<UsageCounts, 'add' | 'addSession'>,
  environment: MeteredEnvironment,
  { kept, bytes = 0 }: StoredEvents,
): void {
  const byApplication = new Map<string, number>()
  for (const [{ context, isServer }, events] of kept) {
    const { service = '', session } = context
    byApplication.set(service, (byApplication.get(service) ?? 0) + events)
    // A server has no sessions.
    if (!isServer) usage.addSession(environment, service, session)
  }
  const main = mainOf(byApplication)
  for (const [application, events] of byApplication) {
    usage.add(environment, application, application === main ? { events, bytes } : { events })
  }
}

function mainOf(byApplication: ReadonlyMap<string, number>): string | undefined {
  let main: string | undefined
  let most = -1
  for (const [application, events] of byApplication) {
    if (events > most) [main, most] = [application, events]
  }
  return main
}
