import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { explore as exploreCall } from '@telltale/core/contract/explore'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { fieldMeasures } from '@telltale/core/query/filter-fields'
import type { Stretch } from '@telltale/core/query/time-buckets'
import { periodOf, readFilter } from './open-question.ts'
import {
  findGroups,
  findSeries,
  findTotal,
  type Measure,
  minutesOf,
  renderMeasure,
  type SeriesRow,
} from './queries.ts'
import type { Question } from './question.ts'
import { readGroups } from './read-groups.ts'
import { renderNumber } from './render-filter.ts'
import { chooseSample, sampleOf } from './sample.ts'
import { groupsOf, openSource } from './source.ts'
import { fillSteps, readSteps, type Steps } from './steps.ts'

type Query = QueryOf<typeof exploreCall>
type Reply = ReplyOf<typeof exploreCall>

const groupsListed = 10
const fieldsAtOnce = 2

/** Of all events, or of a sample of the users where those are very many. */
export async function explore(question: Question, query: Query): Promise<Reply> {
  // Log records have another table, in which nothing is sampled.
  const exact = query.kind === 'log' ? 'true' : query.exact
  const { field } = query
  const conditions = () => (field === undefined ? [] : [renderNumber(field).of])
  return measureGroups(await chooseSample(question, { kind: query.kind, conditions, exact }), query)
}

async function measureGroups(question: Question, query: Query): Promise<Reply> {
  const measure = readMeasure(query, query.kind)
  const canGroup = groupsOf(query.kind)
  const by =
    query.by === undefined ? [] : readGroups(query.by, { pointer: '?by', most: fieldsAtOnce, canGroup })
  const steps = readSteps(question, query.step)
  const top = query.top ?? groupsListed
  refuseTooMany(steps, by.length === 0 ? 1 : top + 1)

  const source = openSource(question, query.kind)
  const measured = renderMeasure(source, measure)
  const found = by.length === 0 ? [] : await findGroups(question, { source, by, measured, count: top + 1 })
  const groups = found.slice(0, top)
  const rows = await findSeries(question, { source, by, groups, measured, steps })
  // An event with two variations is in two groups, but only once in the total.
  const total = by.some(({ field }) => field === 'flag')
    ? await findTotal(question, source, measured)
    : rows.find(({ group, at }) => group === 0 && at === 0)
  const finish = finisherOf(measure)
  const lineOf = (values: string[] | null, place: number) => {
    const own = rows.filter(({ group }) => group === place)
    const whole = own.find(({ at }) => at === 0)
    return { values, ...finish(whole, question), points: toPoints(steps, { rows: own, question, finish }) }
  }

  return {
    ...periodOf(question),
    sample: sampleOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    total: finish(total, question),
    groups: [
      ...(by.length === 0 ? [lineOf([], 0)] : groups.map((values, place) => lineOf(values, place + 1))),
      ...(found.length > top ? [lineOf(null, groups.length + 1)] : []),
    ],
  }
}

const noEvents = { result: null, events: 0 }

interface Measured {
  result: number | null
  events: number
}
type Finish = (row: Measured | undefined, stretch: Stretch) => { value: number | null; events: number }

/** Without events, counts are 0 and measurements are null. */
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
    // For a partial step, only the minutes within the period.
    const stretch = { from: Math.max(from, question.from), to: Math.min(to, question.to) }
    return { at, partial, ...finish(row, stretch) }
  })
}

/** Throws `invalid-request` for an invalid measure. */
export function readMeasure(
  { measure = 'count', field, part }: Pick<Query, 'measure' | 'field' | 'part'>,
  kind: Query['kind'] | undefined,
): Measure {
  const refuse = (pointer: string, message: string) =>
    problem('invalid-request', { errors: [{ pointer, message }] })
  if (fieldMeasures.has(measure) && field === undefined) throw refuse('?field', `is needed for ${measure}`)
  if (fieldMeasures.has(measure) && kind === 'log')
    throw refuse('?measure', 'needs a field, which log records lack')
  if (measure === 'share' && part === undefined) throw refuse('?part', 'is needed for share')
  return { measure, field, part: part === undefined ? undefined : readFilter(part, '?part') }
}

function refuseTooMany({ all }: Steps, groups: number): void {
  if (all.length * groups <= limits.exploreRows) return
  const message = `makes more than ${limits.exploreRows} points with this number of groups`
  throw problem('invalid-request', { errors: [{ pointer: '?step', message }] })
}
