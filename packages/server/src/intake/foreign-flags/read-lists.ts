// The flags of each event: what its session had reported up to then. Events with the same flags share the list.

import type { FlagRead } from '@telltale/core/contract/events'
import { valueAt } from '@telltale/core/telemetry/reported-values'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { ArmFinder } from './find-arm.ts'
import type { KnownSession } from './known-sessions.ts'
import type { Persons } from './persons.ts'

export interface ReadList {
  reads: FlagRead[]
  /** Comma-separated keys of the flags that no event of its view has reported. */
  carried: string
}

export interface ReadLists {
  of(event: RumEvent, at?: number): ReadList
}

interface Parts {
  known: ReadonlyMap<string, KnownSession>
  finder: ArmFinder
  persons: Persons
  offsetOf(session: string): number
}

const none: ReadList = { reads: [], carried: '' }

export function createReadLists({ known, finder, persons, offsetOf }: Parts): ReadLists {
  const made = new Map<string, ReadList>()
  const turns = new Map<string, readonly number[]>()

  const make = (
    session: KnownSession,
    { view, userKey, at, offset }: { view: string; userKey: string; at: number; offset: number },
  ) => {
    const reads: FlagRead[] = []
    const carried: string[] = []
    for (const [flag, all] of session.flags) {
      const reported = valueAt(all, { at, userKey })
      if (reported === undefined) continue
      reads.push(finder.find({ flag, reported, session, at, offset }).read)
      if (!reported.views.includes(view)) carried.push(flag)
    }
    return { reads, carried: carried.join(',') }
  }

  return {
    of(event, at = event.event.at) {
      const { session: id, view = '' } = event.about
      const session = known.get(id)
      if (session === undefined || session.flags.size === 0) return none
      const { userKey } = persons.of(event)
      const offset = offsetOf(id)
      const moments = turns.get(id) ?? turnsOf(session, { finder, offset })
      turns.set(id, moments)
      const key = `${id} ${view} ${moments.findLastIndex((moment) => moment <= at)} ${userKey}`
      const list = made.get(key) ?? make(session, { view, userKey, at, offset })
      made.set(key, list)
      return list
    },
  }
}

/** The times at which values begin to apply, in order. */
function turnsOf(
  { flags }: KnownSession,
  { finder, offset }: { finder: ArmFinder; offset: number },
): readonly number[] {
  const moments = [...flags].flatMap(([flag, all]) => {
    const [first] = all
    const until = Math.max(...all.map((reported) => reported.until))
    const changes = finder
      .changesOf(flag, offset)
      .filter((at) => first !== undefined && at > first.from && at <= until)
    return [...all.map(({ from }) => from), ...changes]
  })
  return [...new Set(moments)].sort((left, right) => left - right)
}
