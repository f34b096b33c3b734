// Renders a filter as conditions on sessions, one row each. Chips that the session roll-up does not have are
// searched in its events: all of them must match the same event, except that several chips of one field each
// match a separate event.

import { limits } from '@telltale/core/limits'
import type { Chip } from '@telltale/core/query/filter'
import { asksForBots, type Bind, type FilteredPeriod } from './conditions.ts'
import { isLatestVital, mayBeVitals } from './latest-vitals.ts'
import { renderEventChip, renderWord } from './render-filter.ts'
import { isOfSession, renderSessionChip } from './session-rows.ts'

/** Events with searchable text. */
const wordKinds = "kind IN ('view', 'action', 'error', 'custom')"

/** Bots are excluded unless the filter includes them. */
export function renderForSessions({ filter, ...period }: FilteredPeriod, bind: Bind): string[] {
  const ofSession = filter.chips.filter(isOfSession)
  const ofEvents = filter.chips.filter((chip) => !isOfSession(chip))
  return [
    ...(asksForBots(filter) ? [] : ['bot = 0']),
    ...ofSession.map((chip) => renderSessionChip(chip, period, bind)),
    ...togetherInOneEvent(ofEvents).map((chips) => {
      const found = hasEvent(
        chips.map((chip) => renderEventChip({ ...chip, isNegated: false }, period, bind)),
        { period, bind },
      )
      return chips[0]?.isNegated ? `NOT (${found})` : found
    }),
    ...filter.words.map((word) => hasEvent([wordKinds, renderWord(word, bind)], { period, bind })),
  ]
}

/** Sessions with an event that matches all conditions. */
function hasEvent(
  conditions: readonly string[],
  { period, bind }: { period: { from: number; to: number }; bind: Bind },
): string {
  const [begin, end] = [period.from, period.to + limits.monitoredSessionMaximum].map(
    (at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`,
  )
  const inPeriod = ['environment_id = {environment:UUID}', `ts >= ${begin}`, `ts < ${end}`]
  const latest = mayBeVitals(conditions) ? [isLatestVital(...inPeriod)] : []
  return `session_id GLOBAL IN (SELECT session_id FROM events WHERE ${[...inPeriod, ...conditions, ...latest].join(' AND ')})`
}

function togetherInOneEvent(chips: readonly Chip[]): Chip[][] {
  const groups: Chip[][] = []
  for (const chip of chips) {
    const home = chip.isNegated
      ? undefined
      : groups.find((group) => !group.some(({ field, isNegated }) => isNegated || field === chip.field))
    if (home === undefined) groups.push([chip])
    else home.push(chip)
  }
  return groups
}
