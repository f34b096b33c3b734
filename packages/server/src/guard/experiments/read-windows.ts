// The evidence of goals with a window: each unit counts in the stage and arm of its first exposure in the experiment, once
// its window is over, with what happened within it. One statement per goal reads all arms.

import { isWindowed, type JudgedGoal, type WindowedGoal } from '@telltale/core/guard/experiment/judged-goal'
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import { parseSequence } from '@telltale/core/query/filter'
import type { ArmName, UnitSums } from '@telltale/core/statistics/sums'
import { ofEveryOrigin } from '../../monitoring/explore/conditions.ts'
import { askIn } from '../../monitoring/explore/open-question.ts'
import type { Question } from '../../monitoring/explore/question.ts'
import { instant, renderKinds, renderStep } from '../../monitoring/funnels/conditions.ts'
import { isExposed, renderEvent, renderPlaces, timeOfEvent } from '../../monitoring/funnels/funnel-rows.ts'
import type { Services } from '../../platform/services.ts'
import { isMeasure } from '../evidence/rows-of-arms.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import type { CountedEpoch } from './queries.ts'

interface ReadWindows {
  environment: { id: string; timeZone: string }
  split: string
  epochs: readonly CountedEpoch[]
  goals: readonly JudgedGoal[]
  now: Date
}

/** Of one goal: the sums of each stage and arm. */
type WindowSums = readonly SumsRow[]

interface SumsRow {
  epoch: number
  arm: string
  /** Units whose window is over, and those whose window is not. */
  units: number
  waiting: number
  hits: number
  y: number
  yy: number
  /** Sum and maximum of the absolute totals. */
  all: number
  largest: number
}

/** Browser clocks are corrected but may still be slightly wrong. */
const clockSlack = 3_600_000

/** In the order of the goals; undefined for those without a window. */
export async function readWindows(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  { environment, split, epochs, goals, now }: ReadWindows,
): Promise<(WindowSums | undefined)[]> {
  const [first] = epochs
  if (first === undefined || !goals.some(isWindowed)) return goals.map(() => undefined)
  const to = now.getTime()
  const isAboutIssues = goals.some(({ steps = '' }) => steps.includes('issue'))
  const question = await askIn({ db, telemetry }, environment, {
    from: first.startedAt.getTime() - clockSlack,
    to,
    filter: ofEveryOrigin,
    isAboutIssues,
  })
  const numbers = epochs.map(({ epoch }) => epoch)
  const found: (WindowSums | undefined)[] = []
  // Sequentially, to spare the shared engine.
  for (const goal of goals)
    found.push(
      isWindowed(goal)
        ? await readWindow(question.with({}), { goal, split, epochs: numbers, to })
        : undefined,
    )
  return found
}

interface ReadWindow {
  goal: WindowedGoal
  split: string
  epochs: readonly number[]
  to: number
}

function readWindow(question: Question, { goal, split: id, epochs, to }: ReadWindow): Promise<SumsRow[]> {
  const { bind } = question
  const [split, counted] = [bind(id, 'UInt64'), bind(epochs, 'Array(UInt32)')]
  const began = `SELECT unit, toUInt64(toUnixTimestamp64Milli(began.1)) AS exposed_at, began.2 AS epoch, began.3 AS arm
    FROM (
      SELECT unit, min((first_arm.1, epoch, first_arm.2)) AS began
      FROM ${question.rowsOf('exposures', `split = ${split}`, `epoch IN ${counted}`)} GROUP BY unit)`
  const window = bind(goal.window, 'UInt64')
  const isOver = `exposed_at + ${window} <= ${bind(to - limits.goalSettle, 'UInt64')}`
  const units =
    goal.steps === undefined
      ? renderTotals(question, { goal, began, split, window })
      : renderCompleted(question, { goal, began, split, counted, window, steps: goal.steps })
  return question.read<SumsRow>(
    `SELECT epoch, arm, toFloat64(countIf(is_over)) AS units, toFloat64(countIf(NOT is_over)) AS waiting,
      toFloat64(countIf(is_over AND own != 0)) AS hits, sumIf(own, is_over) AS y, sumIf(own * own, is_over) AS yy,
      sumIf(abs(own), is_over) AS all, maxIf(abs(own), is_over) AS largest
    FROM (SELECT epoch, arm, toFloat64(value_) AS own, ${isOver} AS is_over FROM (${units}))
    GROUP BY epoch, arm ORDER BY epoch, arm`,
  )
}

interface UnitsOf {
  goal: WindowedGoal
  /** A statement for `unit`, `exposed_at`, `epoch` and `arm`. */
  began: string
  /** Placeholders. */
  split: string
  window: string
}

interface CompletedOf extends UnitsOf {
  steps: string
  /** The placeholder of the epochs that count. */
  counted: string
}

/** One row per unit, with `value_`: what it has in its window. */
function renderTotals(question: Question, { goal, began, split, window }: UnitsOf): string {
  const { method } = goal
  const { bind } = question
  const isWithin = `at != 0 AND at >= exposed_at AND at <= exposed_at + ${window}`
  const sum =
    method.kind === 'total' && method.sums === 'values'
      ? `sumIf(x, ${isWithin})`
      : `toFloat64(countIf(${isWithin}))`
  const cap = method.kind === 'total' ? bind(method.cap, 'Float64') : '1'
  const condition = isMeasure({ bind }, method.measure)
  return `SELECT unit, exposed_at, epoch, arm, greatest(least(${sum}, ${cap}), -${cap}) AS value_
    FROM (${began}) AS b GLOBAL LEFT JOIN (
      SELECT unit, at, x FROM (
        SELECT ${unitsIn(split)} AS unit, ${instant} AS at, toFloat64(greatest(least(value, 1e9), -1e9)) AS x
        FROM ${question.events(condition, `has(arms.split, ${split})`)})
    ) AS e ON b.unit = e.unit
    GROUP BY unit, exposed_at, epoch, arm`
}

const unitsIn = (split: string, condition = '1') =>
  `arrayJoin(arrayDistinct(arrayMap(a -> a.4, arrayFilter(a -> a.1 = ${split} AND ${condition}, arms))))`

/**
 * The funnel of Explore, among the events of the window. The view in which the flag was read counts as well: it begins
 * before its flags, so its events know their unit by the exposure.
 */
function renderCompleted(
  question: Question,
  { goal, began, split, counted, window, steps: text }: CompletedOf,
): string {
  const parsed = parseSequence(text, limits.funnelSteps)
  if (!parsed.ok) throw new Error(`the steps "${text}" cannot be read: ${parsed.faults[0]?.message}`)
  const filters = parsed.result
  const steps = filters.map((step) => renderStep(question, step))
  const viewsOf = `SELECT view_id, ${unitsIn(split, `a.2 IN ${counted}`)} AS unit
    FROM ${question.events("kind = 'exposure'", `has(arms.split, ${split})`, 'notEmpty(view_id)')}`
  const event = renderEvent(
    steps,
    `notEmpty(view_id) AND view_id GLOBAL IN (SELECT view_id FROM (${viewsOf}))`,
  )
  const some = [...renderKinds(filters), `(${steps.join(' OR ')})`]
  const rows = `SELECT unit, event FROM (
      SELECT ${unitsIn(split)} AS unit, ${event} AS event FROM ${question.events(...some, `has(arms.split, ${split})`)})
    UNION ALL
    SELECT v.unit AS unit, e.event AS event
    FROM (SELECT view_id, ${event} AS event FROM ${question.events(...some, `NOT has(arms.split, ${split})`, 'notEmpty(view_id)')}) AS e
    GLOBAL INNER JOIN (SELECT DISTINCT view_id, unit FROM (${viewsOf})) AS v ON e.view_id = v.view_id`
  const units = `SELECT unit, arraySort(groupArray(event)) AS events
    FROM (
      SELECT r.unit AS unit, r.event AS event, b.exposed_at AS exposed_at FROM (${rows}) AS r
      GLOBAL INNER JOIN (${began}) AS b ON r.unit = b.unit)
    WHERE (${isExposed}) AND toUInt64(${timeOfEvent('event')}) <= exposed_at + ${window} GROUP BY unit`
  const places = renderPlaces(question, units, { last: steps.length, window: goal.window })
  return `SELECT b.unit AS unit, b.exposed_at AS exposed_at, b.epoch AS epoch, b.arm AS arm, f.done AS value_
    FROM (${began}) AS b
    GLOBAL LEFT JOIN (SELECT unit, place_${steps.length} > 0 AS done FROM ${places}) AS f ON b.unit = f.unit`
}

interface WindowEvidence {
  evidence: MetricEvidence
  waiting: Record<ArmName, number>
}

/** What one goal says about two arms. */
export function evidenceOfWindow(
  { method }: Pick<JudgedGoal, 'method'>,
  rows: WindowSums,
  { epochs, treatment, control }: ComparedArms,
): WindowEvidence {
  const rowOf = (epoch: number, arm: string) =>
    rows.find((row) => row.epoch === epoch && row.arm === arm) ?? none
  const stages = epochs.map(({ epoch, share }) => ({
    treatment: rowOf(epoch, treatment),
    control: rowOf(epoch, control),
    share,
  }))
  const sum = (arm: ArmName, of: (row: Counted) => number) =>
    stages.reduce((all, stage) => all + of(stage[arm]), 0)
  const both = (of: (row: Counted) => number) => ({
    treatment: sum('treatment', of),
    control: sum('control', of),
  })
  const waiting = both((row) => row.waiting)
  if (method.kind === 'rare-share')
    return {
      waiting,
      evidence: {
        kind: 'events',
        stages: stages.map((stage) => ({
          treatment: stage.treatment.hits,
          control: stage.control.hits,
          share: stage.share,
        })),
        units: both((row) => row.units),
      },
    }
  const hits = both((row) => row.hits)
  return {
    waiting,
    evidence: {
      kind: 'ratio',
      sums: {
        stages: stages.map((stage) => ({
          treatment: sumsOf(stage.treatment, method.kind === 'total'),
          control: sumsOf(stage.control, method.kind === 'total'),
        })),
        // A unit is in one stage.
        shared: { treatment: [], control: [] },
      },
      ...(method.kind === 'total' && { unitsWithEvent: hits.treatment + hits.control }),
    },
  }
}

type Counted = Omit<SumsRow, 'epoch' | 'arm'>
const none: Counted = { units: 0, waiting: 0, hits: 0, y: 0, yy: 0, all: 0, largest: 0 }

function sumsOf({ units, y, yy, all, largest }: Counted, isTotal: boolean): UnitSums {
  const use = isTotal ? { all, largest } : { all: units, largest: Math.min(1, units) }
  return { units, n: units, y, nn: units, ny: y, yy, use: { ...use, leftOut: 0 } }
}
