// The live tails of this server: limits how many are open, what they show, and ends them with the process.

import type { ServerResponse } from 'node:http'
import type { LiveEvent } from '@telltale/core/contract/live'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { parseFilter } from '@telltale/core/query/filter'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import { EventStream } from '../../platform/http/event-stream.ts'
import type { Services } from '../../platform/services.ts'
import { boundEvent, toLiveEvent } from './live-row.ts'
import { createLiveTail, type LiveTail } from './live-tail.ts'
import { createMatch, findForeignChips, type Match } from './match-event.ts'
import { findNewestRows } from './queries.ts'
import { createRelay } from './relay.ts'
import { endStream, writeStream } from './write-stream.ts'

export interface Live extends Pick<LiveTail, 'take'> {
  /** Throws when the filter is invalid, and when too many are open. */
  open(environmentId: string, filter: string): EventStream
  close(): Promise<void>
}

type LiveParts = Pick<Services, 'config' | 'db' | 'announcements' | 'telemetry' | 'clock' | 'log'>

interface OpenTail {
  match: Match
  response: ServerResponse
}

const retrySeconds = 30

export function createLive(parts: LiveParts): Live {
  const tails = new Map<string, Set<OpenTail>>()
  const { take, watch } = createLiveTail(() => parts.clock().getTime())
  // With its own database configured, a server may have others beside it.
  const relay = parts.config.databaseUrl === undefined ? undefined : createRelay({ ...parts, watch })

  const reportWatched = (environmentId: string) => {
    const matches = [...(tails.get(environmentId) ?? [])].map(({ match }) => match)
    relay?.watch(environmentId, matches)
  }
  const begin = (environmentId: string, match: Match, response: ServerResponse) => {
    const open = tails.get(environmentId) ?? new Set<OpenTail>()
    const own = { match, response }
    tails.set(environmentId, open.add(own))
    const here = watch(environmentId, match)
    const elsewhere = relay?.listen(environmentId, match)
    writeStream(response, {
      watchers: elsewhere === undefined ? [here] : [here, elsewhere],
      isStoreAway: () => !isUsable(parts.telemetry.state().state),
      earlier: findEarlierEvents(parts, environmentId, match),
      onClose: () => {
        open.delete(own)
        if (open.size === 0) tails.delete(environmentId)
        reportWatched(environmentId)
      },
    })
    reportWatched(environmentId)
  }

  return {
    take,
    open(environmentId, filter) {
      const match = readMatch(filter)
      if ((tails.get(environmentId)?.size ?? 0) >= limits.liveTails) {
        throw problem('too-many-streams', {
          retryAfterSeconds: retrySeconds,
          detail: `${limits.liveTails} live tails of this environment are open. Close one that is not needed.`,
        })
      }
      return new EventStream((response) => begin(environmentId, match, response))
    },
    async close() {
      for (const open of tails.values()) for (const { response } of open) endStream(response)
      await relay?.close()
    },
  }
}

function readMatch(text: string): Match {
  const parsed = parseFilter(text)
  const messages = parsed.ok
    ? findForeignChips(parsed.result).map((chip) => `${chip} is a session field`)
    : parsed.faults.map(({ at, message }) => `at ${at + 1}: ${message}`)
  if (!parsed.ok || messages.length > 0) {
    throw problem('invalid-request', {
      errors: messages.map((message) => ({ pointer: '?filter', message })),
    })
  }
  return createMatch(parsed.result)
}

/**
 * The initial content of a tail: the newest matching stored events, the oldest first. Empty while the store is
 * unavailable.
 */
async function findEarlierEvents(
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
    // The tail is about new events: it starts empty, and its status shows whether the store is unavailable.
    log.debug({ err: error }, 'a live tail begins without earlier events')
    return []
  }
}
