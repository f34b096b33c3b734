// Rows of visits as the intake makes them, without a server: the same steps, the same lines.

import { routeTemplate } from '@telltale/core/telemetry/route-template'
import { readBrowser } from '../../packages/server/src/intake/events/browsers.ts'
import { createPipeline } from '../../packages/server/src/intake/events/pipeline.ts'
import { createBoundNames } from '../../packages/server/src/intake/events/steps/bound-names.ts'
import { scrubOf } from '../../packages/server/src/intake/events/steps/scrub-rules.ts'
import { userAgents, visit } from './traffic.ts'

export interface RowsOptions {
  environmentId: string
  projectId: string
  users: number
  /** Milliseconds since 1970 of the next event. */
  clock(): number
}

export interface MadeRows {
  events: string[]
  views: string[]
}

const countries = ['NO', 'DE', 'US', 'FR', 'JP', 'BR']
const day = 86_400_000

/** Endless chunks with at least this many rows. */
export function* makeRows(options: RowsOptions, atLeast: number): Generator<MadeRows, never> {
  const { environmentId, projectId, users, clock } = options
  const boundName = createBoundNames(clock)
  let [events, views]: [string[], string[]] = [[], []]
  let count = 0
  for (const batch of visit({ users, clock, random: Math.random })) {
    count += 1
    const pipeline = createPipeline({
      origin: {
        environmentId,
        projectId,
        receivedAt: clock(),
        source: 'telltale',
        country: countries[count % countries.length] ?? '',
        ...readBrowser({ userAgent: userAgents[count % userAgents.length] }),
      },
      clockOffset: 0,
      ageMaximum: day,
      share: 1,
      contexts: new Map(),
      boundName,
      routeOf: routeTemplate,
      scrub: scrubOf(undefined),
      userCheck: undefined,
      isErased: () => false,
    })
    for (const line of batch) pipeline.take(Buffer.from(JSON.stringify(line)))
    const outcome = pipeline.outcome()
    if (outcome.dropped.size > 0) throw new Error('the benchmark makes bad events')
    events.push(...outcome.events)
    views.push(...outcome.views)
    if (events.length + views.length < atLeast) continue
    yield { events, views }
    ;[events, views] = [[], []]
  }
  throw new Error('visits never end')
}

/** In the writer's format. */
export const toLines = (rows: readonly string[]) => Buffer.from(rows.map((row) => `${row}\n`).join(''))
