// Under which variations sessions meet an issue more often than under the flag's others. Counted in sessions, each as one,
// whatever it stands for: an interval is about what was seen. No cause is claimed.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { getIssue } from '@telltale/core/contract/issues'
import { riskRatio } from '@telltale/core/statistics/risk-ratio'
import type { Question } from '../explore/question.ts'
import { type GroupedIssue, placeOf } from './seen-errors.ts'

export type Lift = ReplyOf<typeof getIssue>['lifts'][number]

export interface ReadVariation {
  flag: string
  variation: string
  sessions: number
  /** Sessions of these that met the issue. */
  hits: number
}

const liftsShown = 20
const readersCounted = 50_000

/** Of each issue, the strongest evidence first. */
export async function findLifts(
  question: Question,
  issues: readonly GroupedIssue[],
): Promise<Map<string, Lift[]>> {
  if (issues.length === 0) return new Map()
  const rows = await countReaders(question, issues)
  const all = rows.filter(({ place }) => place === 0)
  const hitsOf = new Map(rows.map((row) => [keyOf(row), row.sessions]))
  return new Map(
    issues.map(({ id }, index) => {
      const readers = all.map(({ flag, variation, sessions }) => {
        const hits = hitsOf.get(keyOf({ place: index + 1, flag, variation })) ?? 0
        return { flag, variation, sessions, hits }
      })
      return [id, liftsOf(readers)]
    }),
  )
}

/** The one to name in a list. */
export const strongestOf = (lifts: readonly Lift[] | undefined): Lift | null => {
  const [first] = lifts ?? []
  return first !== undefined && first.lower > 1 ? first : null
}

interface ReaderRow {
  /** 0: all sessions, otherwise the place of the issue that they met, counted from 1. */
  place: number
  flag: string
  variation: string
  sessions: number
}

const keyOf = ({ place, flag, variation }: Omit<ReaderRow, 'sessions'>) => `${place} ${flag}=${variation}`

/** Sessions by the variations that they read. One that saw two variations of a flag says nothing about either. */
async function countReaders(question: Question, issues: readonly GroupedIssue[]): Promise<ReaderRow[]> {
  const met = `arrayFilter(p -> p > 0, arrayMap(g -> ${placeOf(issues, 'g')}, err_groups))`
  const rows = await question.read<Omit<ReaderRow, 'sessions'> & { readers: string }>(
    `SELECT met_place AS place, flag, substring(seen[1], length(flag) + 2) AS variation, sum(alike) AS readers
    FROM (
      SELECT flag, arrayFilter(f -> startsWith(f, concat(flag, '=')), read_flags) AS seen, places, alike
      FROM (
        SELECT arraySort(flags) AS read_flags, arraySort(arrayDistinct(arrayConcat([toUInt32(0)], ${met}))) AS places, count() AS alike
        FROM ${question.sessions()} GROUP BY read_flags, places
      )
      ARRAY JOIN arrayDistinct(arrayMap(f -> substringUTF8(f, 1, positionUTF8(f, '=') - 1), read_flags)) AS flag
    )
    ARRAY JOIN places AS met_place
    WHERE length(seen) = 1 GROUP BY place, flag, variation ORDER BY place, readers DESC, flag, variation LIMIT ${readersCounted}`,
  )
  return rows.map(({ readers, ...row }) => ({ ...row, sessions: Number(readers) }))
}

/** How many times as often under each variation as under the flag's others. */
export function liftsOf(readers: readonly ReadVariation[]): Lift[] {
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
