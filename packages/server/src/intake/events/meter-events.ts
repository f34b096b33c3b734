// Counts what was stored towards the usage of the project: events by application, and sessions at their first event.

import type { DropReason } from '@telltale/core/contract/events'
import type { MeteredEnvironment, UsageCounts } from '../../organisation/usage/count-usage.ts'
import type { PipelineOutcome } from './pipeline.ts'
import type { BatchContext } from './steps/step.ts'

interface StoredEvents {
  /** By context, how many of its events were stored. */
  kept: Iterable<readonly [BatchContext, number]>
  /** Of the batch; counted for the application with the most events. None if every event was dropped. */
  bytes?: number
  dropped: PipelineOutcome['dropped']
}

/** Reasons of a quota or a spike. */
export const reductions: readonly DropReason[] = ['sampled_by_quota', 'sampled_in_spike']

export function meterEvents(
  usage: Pick<UsageCounts, 'add' | 'addReduced' | 'addSession'>,
  environment: MeteredEnvironment,
  { kept, bytes = 0, dropped }: StoredEvents,
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
  for (const reason of reductions) {
    for (const [kind, events] of dropped.get(reason) ?? []) {
      if (kind !== 'view_state') usage.addReduced(environment, events)
    }
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
