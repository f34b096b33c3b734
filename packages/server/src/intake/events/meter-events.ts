// Counts what was stored towards the usage of the project: events by application, and sessions at their first event.

import type { MeteredEnvironment, UsageCounts } from '../../organisation/usage/count-usage.ts'
import type { BatchContext } from './steps/step.ts'

/** By context, how many of its events were stored. */
export function meterEvents(
  usage: Pick<UsageCounts, 'add' | 'addSession'>,
  environment: MeteredEnvironment,
  kept: Iterable<readonly [BatchContext, number]>,
): void {
  const byApplication = new Map<string, number>()
  for (const [{ context, isServer }, events] of kept) {
    const { service = '', session } = context
    byApplication.set(service, (byApplication.get(service) ?? 0) + events)
    // A server has no sessions.
    if (!isServer) usage.addSession(environment, service, session)
  }
  for (const [application, events] of byApplication) usage.add(environment, application, { events })
}

/** The application with the most events, to which the bytes of a batch are counted. */
export function mainApplication(kept: Iterable<readonly [BatchContext, number]>): string {
  let most = { application: '', events: -1 }
  for (const [{ context }, events] of kept) {
    if (events > most.events) most = { application: context.service ?? '', events }
  }
  return most.application
}
