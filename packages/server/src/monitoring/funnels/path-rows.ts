// One row per session with a start, and what follows or precedes it, as SQL.
//
// The first event that matches the start counts. Repeated pages or events in a row are one step, those of the start
// included. Events of the same millisecond are in alphabetical order after the start. The filter selects starts alone,
// so that a path is complete; it may leave the period, since sessions do.

import { limits } from '@telltale/core/limits'
import type { Filter } from '@telltale/core/query/filter'
import { asksForBots, ofBrowsers } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { instant, renderStep } from './conditions.ts'

export interface Paths {
  start: Filter
  direction: 'after' | 'before'
  of: 'pages' | 'events'
}

const nodes = {
  pages: { value: 'page', condition: "kind = 'view' AND page != ''" },
  events: { value: 'name', condition: "kind IN ('action', 'custom') AND name != ''" },
} as const

/** For FROM: `session`, `at` of the start in milliseconds, and `path` from the start outwards. */
export function renderPaths(question: Question, { start, direction, of }: Paths): string {
  const { bind, from, to, filter } = question
  const at = (time: number) => `fromUnixTimestamp64Milli(${bind(Math.max(0, time), 'Int64')})`
  const { value, condition } = nodes[of]
  const begins = `(${renderStep(question, start)} AND ${renderStep(question, filter)} AND ts >= ${at(from)} AND ts < ${at(to)})`
  const span =
    direction === 'after'
      ? [at(from), at(to + limits.monitoredSessionMaximum)]
      : [at(from - limits.monitoredSessionMaximum), at(to)]
  const rows = question.rowsOf(
    'events',
    `ts >= ${span[0]}`,
    `ts < ${span[1]}`,
    'notEmpty(session_id)',
    ofBrowsers,
    ...(asksForBots(filter) ? [] : ['bot = 0']),
    `((${condition}) OR ${begins})`,
  )
  // Before a start, the order of time is reversed, and with it that of the alphabet.
  const later =
    direction === 'after' ? 'arraySlice(seen, place + 1)' : 'arrayReverse(arraySlice(seen, 1, place - 1))'
  const visited = `arrayMap(e -> e.3, arrayFilter(e -> e.4, ${later}))`
  const rank = direction === 'after' ? 'if(is_start, 0, 1)' : 'if(is_start, 1, 0)'
  return `(SELECT session, seen[place].1 AS at, arraySlice(arrayCompact(arrayPushFront(${visited}, seen[place].3)), 2, ${limits.pathSteps}) AS path
    FROM (SELECT session, arraySort(groupArray((at, ${rank}, node, is_node, is_start))) AS seen, arrayFirstIndex(e -> e.5, seen) AS place
      FROM (SELECT session_id AS session, ${instant} AS at, if(${condition}, toString(${value}), '') AS node, (${condition}) AS is_node, ${begins} AS is_start FROM ${rows})
      GROUP BY session HAVING place > 0))`
}
