import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { measureFunnel as measureFunnelCall } from '@telltale/core/contract/funnels'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { parseSequence } from '@telltale/core/query/filter'
import { periodOf, readParsed } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { type Funnel, renderFunnel } from './funnel-rows.ts'
import { shareDifference, shareInterval } from './intervals.ts'
import { readSplit } from './split.ts'

type Query = QueryOf<typeof measureFunnelCall>
type Reply = ReplyOf<typeof measureFunnelCall>
type Step = Reply['steps'][number]

export async function measureFunnel(question: Question, query: Query): Promise<Reply> {
  const funnel = readFunnel(query)
  const [all, groups] = await Promise.all([
    countSteps(question.with({}), { ...funnel, split: undefined }),
    funnel.split === undefined ? noGroups : countGroups(question.with({}), funnel),
  ])
  const listed = groups.rows.slice(0, limits.funnelGroups)
  const control = funnel.split?.flag === undefined ? undefined : findControl(listed, query.control)
  const counted = listed.reduce((sum, { counts }) => sum + (counts[0] ?? 0), 0)
  return {
    ...periodOf(question),
    unit: funnel.unit,
    window: funnel.window,
    steps: toSteps(all),
    groups: listed.map((row) => ({
      value: row.value,
      steps: toSteps(row).map((step, index) => ({
        ...step,
        difference:
          control === undefined || control === row || index === 0
            ? null
            : shareDifference(hitsOf(control, index), hitsOf(row, index), listed.length - 1),
      })),
    })),
    others: { values: groups.values - listed.length, count: groups.all - counted },
    control: control?.value ?? null,
    excluded: groups.excluded,
  }
}

/** Throws `invalid-request` for steps that cannot be read, or too few or many of them. */
export function readFunnel(query: Omit<Query, 'control'>): Funnel {
  const steps = readParsed(parseSequence(query.steps, limits.funnelSteps), '?steps')
  if (steps.length < 2) {
    throw problem('invalid-request', { errors: [{ pointer: '?steps', message: 'needs at least two steps' }] })
  }
  return {
    steps,
    unit: query.unit ?? 'user',
    window: query.window ?? limits.funnelWindow,
    split: readSplit(query.by),
  }
}

interface CountedRow {
  value: string
  /** Units by the step that they reached. */
  counts: number[]
  /** From the previous step; null at the first. */
  medians: (number | null)[]
}

const counted = (funnel: Funnel) => {
  const steps = funnel.steps.map((_, index) => index + 1)
  const medians = steps
    .slice(1)
    .map(
      (step) =>
        `if(countIf(place_${step} > 0) < ${limits.funnelMedianMinimum}, NULL, toFloat64(quantileExactIf(0.5)(delay_${step}, place_${step} > 0)))`,
    )
  return `[${steps.map((step) => `toFloat64(countIf(place_${step} > 0))`).join(', ')}] AS counts, [NULL, ${medians.join(', ')}] AS medians`
}

async function countSteps(question: Question, funnel: Funnel): Promise<CountedRow> {
  const [row] = await question.read<CountedRow>(
    `SELECT '' AS value, ${counted(funnel)} FROM ${renderFunnel(question, funnel)}`,
  )
  return row ?? { value: '', counts: funnel.steps.map(() => 0), medians: funnel.steps.map(() => null) }
}

interface Groups {
  rows: CountedRow[]
  /** Number of groups, with those that are not among the rows. */
  values: number
  /** Units in all of them. */
  all: number
  excluded: Reply['excluded']
}

const noGroups: Groups = { rows: [], values: 0, all: 0, excluded: null }

async function countGroups(question: Question, funnel: Funnel): Promise<Groups> {
  const { bind } = question
  const isOfFlag = funnel.split?.flag !== undefined
  const kind = isOfFlag
    ? "multiIf(length(seen) > 1, 'mixed', empty(seen) OR place_1 = 0, 'unexposed', 'group')"
    : "'group'"
  const rows = await question.read<
    CountedRow & { kind: string; units: string; values: string; every: string }
  >(
    `SELECT kind, value, counts, medians, units, countIf(kind = 'group') OVER () AS values, sumIf(units, kind = 'group') OVER () AS every
    FROM (SELECT ${kind} AS kind, if(kind = 'group', split_value, '') AS value, count() AS units, ${counted(funnel)}
      FROM ${renderFunnel(question, funnel)} GROUP BY kind, value)
    ORDER BY kind = 'group', units DESC, value LIMIT ${bind(limits.funnelGroups + 2, 'UInt32')}`,
  )
  const unitsOf = (wanted: string) => Number(rows.find((row) => row.kind === wanted)?.units ?? 0)
  return {
    rows: rows.filter((row) => row.kind === 'group'),
    values: Number(rows[0]?.values ?? 0),
    all: Number(rows[0]?.every ?? 0),
    excluded: isOfFlag ? { mixed: unitsOf('mixed'), unexposed: unitsOf('unexposed') } : null,
  }
}

/** Throws `invalid-request` for a variation without users. */
function findControl(rows: readonly CountedRow[], wanted: string | undefined): CountedRow | undefined {
  if (wanted === undefined) return rows[0]
  const found = rows.find(({ value }) => value === wanted)
  if (found !== undefined) return found
  throw problem('invalid-request', {
    errors: [{ pointer: '?control', message: 'is not a variation with users at the first step' }],
  })
}

function toSteps({ counts, medians }: CountedRow): Step[] {
  return counts.map((count, index) => ({
    count,
    ofFirst: shareInterval(count, counts[0] ?? 0),
    ofPrevious: shareInterval(count, counts[index - 1] ?? count),
    medianTime: medians[index] ?? null,
  }))
}

const hitsOf = ({ counts }: CountedRow, step: number) => ({ hits: counts[step] ?? 0, total: counts[0] ?? 0 })
