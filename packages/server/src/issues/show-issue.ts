import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getIssue as getIssueCall } from '@telltale/core/contract/issues'
import { riskRatio } from '@telltale/core/statistics/risk-ratio'
import { readPeriod } from '../intake/read-period.ts'
import type { Services } from '../services.ts'
import { toIssue } from './issue.ts'
import { parts } from './list-issues.ts'
import { getIssue } from './queries.ts'
import {
  countIssues,
  countParts,
  countReaders,
  countSlices,
  type ErrorScope,
  type ReadVariation,
  type Sliced,
} from './seen-errors.ts'

type Reply = ReplyOf<typeof getIssueCall>

const liftsShown = 20

export async function showIssue(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { environmentId, id }: { environmentId: string; id: string },
  query: QueryOf<typeof getIssueCall>,
): Promise<Reply> {
  const now = clock()
  const issue = await getIssue(db, { environmentId, id })
  const scope: ErrorScope = { environmentId, ...readPeriod(query, now) }
  const [counts, series, slices, readers] = await Promise.all([
    countIssues(telemetry, scope, [issue]),
    countParts(telemetry, scope, { issues: [issue], parts }),
    countSlices(telemetry, scope, issue.groups),
    countReaders(telemetry, scope, issue.groups),
  ])
  const of = (kind: Sliced) =>
    slices
      .filter((slice) => slice.kind === kind)
      .map(({ value, events, sessions }) => ({ value, events, sessions }))
  return {
    ...toIssue(issue, now),
    ...(counts.get(id) ?? { events: 0, sessions: 0, users: 0 }),
    from: scope.from.toISOString(),
    to: scope.to.toISOString(),
    series: series.get(id) ?? [],
    slices: {
      flags: of('flags'),
      browser: of('browser'),
      os: of('os'),
      device: of('device'),
      country: of('country'),
      version: of('version'),
      page: of('page'),
    },
    lifts: liftsOf(readers),
  }
}

/** How many times as often under each variation as under the flag's others, the strongest evidence first. */
export function liftsOf(readers: readonly ReadVariation[]): Reply['lifts'] {
  const totals = new Map<string, { sessions: number; hits: number }>()
  for (const { flag, sessions, hits } of readers) {
    const total = totals.get(flag) ?? { sessions: 0, hits: 0 }
    totals.set(flag, { sessions: total.sessions + sessions, hits: total.hits + hits })
  }
  const compared = readers.flatMap((reader) => {
    const total = totals.get(reader.flag)
    const otherSessions = (total?.sessions ?? 0) - reader.sessions
    return otherSessions === 0
      ? []
      : [{ ...reader, otherSessions, otherHits: (total?.hits ?? 0) - reader.hits }]
  })
  return compared
    .flatMap((reader) => {
      const { sessions, hits, otherSessions, otherHits } = reader
      const others = { hits: otherHits, total: otherSessions }
      const found = riskRatio({ hits, total: sessions }, others, compared.length)
      return found === undefined ? [] : [{ ...reader, ...found }]
    })
    .sort((left, right) => right.lower - left.lower)
    .slice(0, liftsShown)
}
