// Creates an exposure for the first occurrence of a variation in a session, and of each of its arms. Its ID is derived
// from its content: it is stored once, even when the client sends it again or another server receives it.

import { createHash } from 'node:crypto'
import type { FlagRead } from '@telltale/core/contract/events'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { idFromBytes } from '../spool/id-bytes.ts'
import type { Sighting } from './carry-flags.ts'
import type { ArmFinder, FoundRead } from './find-arm.ts'
import type { KnownSession } from './known-sessions.ts'
import type { ReadLists } from './read-lists.ts'

interface Parts {
  environmentId: string
  known: ReadonlyMap<string, KnownSession>
  finder: ArmFinder
  lists: ReadLists
  offsetOf(session: string): number
}

interface MadeExposures {
  exposures: RumEvent[]
  /** Why the first value has no arm, where it could have one. */
  counted: Map<string, number>
  undo(): void
}

/** Users who are not served by a split, or who have an override, have no arm to miss. */
const uncounted: Partial<Record<NonNullable<FoundRead['without']>, string>> = {
  undecided: 'arm_undecided',
  'no-unit': 'arm_no_unit',
  'other-variation': 'arm_other_variation',
}

export function exposuresOf(sightings: readonly Sighting[], parts: Parts): MadeExposures {
  const { known, finder, lists, offsetOf } = parts
  const exposures: RumEvent[] = []
  const counted = new Map<string, number>()
  const undoing: (() => void)[] = []
  const note = (session: KnownSession, key: string) => {
    if (session.exposed.has(key)) return false
    session.exposed.add(key)
    undoing.push(() => session.exposed.delete(key))
    return true
  }

  for (const { reported, session: id, flag, event } of sightings) {
    const session = known.get(id)
    if (session === undefined) continue
    const offset = offsetOf(id)
    const change = finder.changesOf(flag, offset).findLast((at) => at > reported.from && at <= reported.until)
    for (const at of change === undefined ? [reported.from] : [reported.from, change]) {
      const { read, without } = finder.find({ flag, reported, session, at, offset })
      const pair = `${flag}=${read.variation}`
      const arm = armOf(parts.environmentId, read)
      const isNew = note(session, pair)
      if (!(arm === '' ? isNew : note(session, pair + arm))) continue
      const reason = without && uncounted[without]
      if (reason !== undefined) counted.set(reason, (counted.get(reason) ?? 0) + 1)
      const { reads } = lists.of(event, at)
      const own = { id: idOf(`${id} ${pair}${arm}`), at }
      exposures.push(exposureOf(event, { ...own, read, reads }))
    }
  }
  return { exposures, counted, undo: () => undoing.forEach((each) => void each()) }
}

/** In the format that `remember-sessions.ts` reads from the store. */
function armOf(environment: string, { split, epoch, by, unit }: FlagRead): string {
  if (split === undefined || by === undefined || unit === undefined) return ''
  return ` ${split}.${epoch}.${unitHash({ environment, attribute: by, value: unit })}`
}

interface ExposureDraft {
  id: string
  at: number
  read: FlagRead
  reads: FlagRead[]
}

function exposureOf(event: RumEvent, { id, at, read, reads }: ExposureDraft): RumEvent {
  // It may be older than the other flags of its event.
  const all = reads.includes(read) ? reads : [...reads.filter(({ flag }) => flag !== read.flag), read]
  return {
    ...event,
    event: { kind: 'exposure', id, at, context: 0, flag: read.flag },
    about: { ...event.about, reads: all },
    actions: [],
  }
}

function idOf(text: string): string {
  return idFromBytes(createHash('sha256').update(`exposure ${text}`).digest().subarray(0, 16))
}
