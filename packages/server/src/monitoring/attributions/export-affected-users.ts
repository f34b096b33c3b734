// Affected users as CSV (RFC 4180): a page is in memory at a time.

import { Readable } from 'node:stream'
import { attributed } from '@telltale/core/attribution-limits'
import { limits } from '@telltale/core/limits'
import { toCsvLine } from '../../organisation/audit/csv.ts'
import { Download } from '../../platform/http/download.ts'
import { type AffectedSource, type AffectedUser, toAffected } from './affected-users.ts'

type Cell = string | number | null
type Columns = Readonly<Record<string, (user: AffectedUser) => Cell>>

export function exportAffectedUsers(
  source: AffectedSource,
  { flag, variation }: { flag: string; variation: string },
): Download {
  const { attributions } = source
  // What holds for all of them.
  const smallest = Math.min(...attributions.map(({ atLeast }) => atLeast))
  const columns: Columns = {
    user: ({ user }) => user,
    anonymousId: ({ anonymousId }) => anonymousId,
    failures: ({ failures }) => failures,
    sessions: ({ sessions }) => sessions,
    firstAt: ({ firstAt }) => firstAt,
    lastAt: ({ lastAt }) => lastAt,
    flag: () => flag,
    variation: () => variation,
    // Rounded down: a bound is never shown above its value. Empty without one.
    atLeast: () => (attributions.length === 0 ? null : Math.floor(smallest * 1_000) / 1_000),
  }
  return new Download('text/csv; charset=utf-8', Readable.from(readLines(source, columns)))
}

async function* readLines(source: AffectedSource, columns: Columns): AsyncGenerator<string> {
  yield toCsvLine(Object.keys(columns))
  let after: string | undefined
  for (let seen = 0; seen < attributed.usersExported; ) {
    const count = Math.min(limits.pageSizeMaximum, attributed.usersExported - seen)
    const rows = await source.find(after, count)
    const users = rows.filter((row) => !source.isErased(row)).map(toAffected)
    if (users.length > 0) {
      yield users.map((user) => toCsvLine(Object.values(columns).map((read) => read(user)))).join('')
    }
    if (rows.length < count) return
    seen += rows.length
    after = rows.at(-1)?.hash
  }
}
