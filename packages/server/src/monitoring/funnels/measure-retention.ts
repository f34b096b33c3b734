import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { measureRetention as measureRetentionCall } from '@telltale/core/contract/funnels'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { parseFilter } from '@telltale/core/query/filter'
import { periodOf, readParsed } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readSteps } from '../explore/steps.ts'
import { shareInterval } from './intervals.ts'
import { findReturns, type ReturnRow } from './return-rows.ts'
import { readSplit } from './split.ts'

type Query = QueryOf<typeof measureRetentionCall>
type Reply = ReplyOf<typeof measureRetentionCall>
type Line = Reply['lines'][number]

const day = 86_400_000
/** A session is one from its first view on. */
const anySession = 'kind:view'

interface Span {
  from: number
  to: number
}

export async function measureRetention(
  question: Question,
  { query, now }: { query: Query; now: Date },
): Promise<Reply> {
  const first = readParsed(parseFilter(query.first ?? anySession), '?first')
  const later = readParsed(parseFilter(query.return ?? anySession), '?return')
  const split = readSplit(query.by)
  const step = query.step ?? (question.to - question.from > limits.retentionDays * day ? 'week' : 'day')
  const { all: steps, timeZone } = readSteps(question, step === 'day' ? '1d' : '7d')
  refuseTooLong(steps.length, step)

  const ask = { first, later, steps, split }
  const [all, groups] = await Promise.all([
    findReturns(question.with({}), { ...ask, split: undefined }),
    split === undefined ? [] : findReturns(question.with({}), ask),
  ])
  const end = Math.min(question.to, now.getTime())
  const listed = listGroups(groups)
  return {
    ...periodOf(question),
    step,
    timeZone,
    steps: steps.length,
    cohorts: steps
      .filter(({ from }) => from < end)
      .map(({ at, from, to }, cohort) => {
        const row = all.find((one) => Number(one.cohort) === cohort)
        return {
          at,
          partial: from < question.from || to > end,
          size: Number(row?.size ?? 0),
          returns: steps
            .slice(cohort + 1)
            .flatMap((one, after) =>
              one.from >= end
                ? []
                : [{ count: Number(row?.returned[cohort + 1 + after] ?? 0), partial: one.to > end }],
            ),
        }
      }),
    lines: [
      toLine(null, all, { steps, end }),
      ...listed.map((value) =>
        toLine(
          value,
          groups.filter((row) => row.kind === 'group' && row.value === value),
          { steps, end },
        ),
      ),
    ],
    excluded: split?.flag === undefined ? null : countExcluded(groups),
  }
}

function refuseTooLong(steps: number, step: 'day' | 'week'): void {
  const most = step === 'day' ? limits.retentionDays : limits.retentionWeeks
  // A period that begins within a day or week has a part of one more.
  if (steps <= most + 1) return
  const message = `must be at most ${most} ${step}s before \`to\``
  throw problem('invalid-request', { errors: [{ pointer: '?from', message }] })
}

/** The groups with the most users. */
function listGroups(rows: readonly ReturnRow[]): string[] {
  const sizes = new Map<string, number>()
  for (const { kind, value, size } of rows) {
    if (kind === 'group') sizes.set(value, (sizes.get(value) ?? 0) + Number(size))
  }
  return [...sizes]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, limits.funnelGroups)
    .map(([value]) => value)
}

/** Over the cohorts whose day or week is over. */
function toLine(
  value: string | null,
  rows: readonly ReturnRow[],
  { steps, end }: { steps: readonly Span[]; end: number },
): Line {
  const points = steps.slice(1).map((_, index) => {
    const after = index + 1
    const over = rows.filter(
      ({ cohort }) => (steps[Number(cohort) + after]?.to ?? Number.POSITIVE_INFINITY) <= end,
    )
    const of = over.reduce((sum, { size }) => sum + Number(size), 0)
    const count = over.reduce(
      (sum, { cohort, returned }) => sum + Number(returned[Number(cohort) + after] ?? 0),
      0,
    )
    return { count, of, rate: shareInterval(count, of) }
  })
  return { value, size: rows.reduce((sum, { size }) => sum + Number(size), 0), points }
}

function countExcluded(rows: readonly ReturnRow[]): Reply['excluded'] {
  const sizeOf = (kind: string) =>
    rows.filter((row) => row.kind === kind).reduce((sum, { size }) => sum + Number(size), 0)
  return { mixed: sizeOf('mixed'), unexposed: sizeOf('unexposed') }
}
