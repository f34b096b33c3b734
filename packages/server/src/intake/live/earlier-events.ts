import type { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import { boundEvent, toLiveEvent } from './live-row.ts'
import type { Match } from './match-event.ts'
import { findNewestRows } from './queries.ts'

/** What a tail begins with: the newest stored events that match, the oldest first. None while the store is away. */
export async function findEarlierEvents(
  { telemetry, clock, log }: Pick<Services, 'telemetry' | 'clock' | 'log'>,
  environmentId: string,
  { filter, matches }: Match,
): Promise<LiveEvent[]> {
  try {
    const rows = await findNewestRows(telemetry, {
      environmentId,
      filter,
      since: clock().getTime() - limits.liveEarlier,
      count: limits.liveEarlierExamined,
    })
    return rows
      .map((row) => toLiveEvent(row))
      .filter(matches)
      .slice(0, limits.liveEarlierEvents)
      .reverse()
      .map((event) => boundEvent(event, JSON.stringify(event).length))
  } catch (error) {
    // The tail is about what comes: it begins empty, and its pace says whether the store is away.
    log.debug({ err: error }, 'a live tail begins without earlier events')
    return []
  }
}
