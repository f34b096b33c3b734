import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { explore as exploreCall } from '@telltale/core/contract/explore'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Stretch } from '@telltale/core/telemetry/time-buckets'
import { periodOf, readFilter } from './open-question.ts'
import {
  findGroups,
  findSeries,
  type Measure,
  minutesOf,
  type RenderedMeasure,
  renderMeasure,
  type SeriesRow,
} from './queries.ts'
import type { Question } from './question.ts'
import { readGroups } from './read-groups.ts'
import { fillSteps, readSteps, type Steps } from './steps.ts'

type Query = QueryOf<typeof exploreCall>
type Reply = ReplyOf<typeof exploreCall>

const groupsListed = 10
const fieldsAtOnce = 2

export async function explore(question: Question, query: Query): Promise<Reply> {
  const measure = readMeasure(query)
  const by = query.by === undefined ? [] : readGroups(query.by, { pointer: '?by', most: fieldsAtOnce })
  const steps = readSteps(question, query.step)
  const top = query.top ?? groupsListed
  refuseTooMany(steps, by.length === 0 ? 1 : top + 1)

  const measured = renderMeasure(question, measure)
  if (query.kind !== undefined) measured.conditions.push(`kind = ${question.bind(query.kind, 'String')}`)
  const found = by.length === 0 ? [] : await findGroups(question, { by, measured, count: top + 1 })
  const groups = found.slice(0, top)
  const values = groups.map((group) => group.values)
  const shared = { by, groups: values, measured }

  const [points, rest, [total]] = await Promise.all([
    findSeries(question, { ...shared, steps }),
    found.length > top ? findSeries(question, { ...shared, steps: undefined }) : [],
    findTotal(question, measured),
  ])
  const others = rest.filter(({ group }) => group === groups.length).map((row) => ({ ...row, values: null }))
  const lines = by.length === 0 ? [{ values: [], ...noEvents, ...total }] : [...groups, ...others]
  const finish = finisherOf(measure)

  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    total: finish({ ...noEvents, ...total }, question),
    groups: lines.map((line, place) => ({
      values: line.values,
      ...finish(line, question),
      points: toPoints(steps, {
        rows: points.filter(({ group }) => group === place),
        question,
        finish,
      }),
    })),
  }
}

const noEvents = { result: null, events: 0 }

const findTotal = (question: Question, measured: RenderedMeasure) =>
  findSeries(question, { by: [], groups: [], measured, steps: undefined })

interface Measured {
  result: number | null
  events: number
}
type Finish = (row: Measured | undefined, stretch: Stretch) => { value: number | null; events: number }

/** No events are a zero where events are counted, and nothing where they are measured. */
function finisherOf({ measure }: Measure): Finish {
  const isCounted = ['count', 'rate', 'users', 'sessions', 'sum'].includes(measure)
  return (row, stretch) => {
    const { result, events } = row ?? noEvents
    const known = result ?? (isCounted ? 0 : null)
    return { value: measure === 'rate' && known !== null ? known / minutesOf(stretch) : known, events }
  }
}

function toPoints(
  steps: Steps,
  { rows, question, finish }: { rows: readonly SeriesRow[]; question: Question; finish: Finish },
) {
  const filled = fillSteps(steps, rows, (row) => ({ row }))
  return filled.map(({ row, at, partial }, index) => {
    const { from, to } = steps.all[index] ?? question
    // Of a step that is cut off, the minutes that were looked at.
    const stretch = { from: Math.max(from, question.from), to: Math.min(to, question.to) }
    return { at, partial, ...finish(row, stretch) }
  })
}

function readMeasure({ measure = 'count', field, part }: Query): Measure {
  const refuse = (pointer: string, message: string) =>
    problem('invalid-request', { errors: [{ pointer, message }] })
  const needsField = ['p50', 'p75', 'p95', 'p99', 'mean', 'sum'].includes(measure)
  if (needsField && field === undefined) throw refuse('?field', `is needed for ${measure}`)
  if (measure === 'share' && part === undefined) throw refuse('?part', 'is needed for share')
  return { measure, field, part: part === undefined ? undefined : readFilter(part, '?part') }
}

function refuseTooMany({ all }: Steps, groups: number): void {
  if (all.length * groups <= limits.exploreRows) return
  const message = `makes more than ${limits.exploreRows} points with so many groups`
  throw problem('invalid-request', { errors: [{ pointer: '?step', message }] })
}
