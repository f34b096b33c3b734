// Recent activity of an environment's users, in the columns that a back-test needs: one statement for all
// counted metrics and one for each percentile.

import type { BackTestPlan } from '@telltale/core/guard/back-test/back-test'
import { longestOf, type SiteUnits, type UnitRows } from '@telltale/core/guard/back-test/site-units'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import {
  isOfServers,
  type JudgedMetric,
  type Method,
  serverRequest,
} from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { ofEveryOrigin, sessionCount } from '../../monitoring/explore/conditions.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import { bucketOf } from '../../platform/engines/clickhouse/schema/unit-buckets.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { conditionOf } from '../rollouts/read-traffic.ts'

const day = 86_400_000

export interface PastSite {
  site: SiteUnits
  from: number
  to: number
  /** The share of users that was read. */
  sampled: number
  /** The share of users who evaluate the flag; 1 if none has yet. */
  reading: number
}

interface ReadSiteOptions {
  environment: { id: string; timeZone: string }
  flag: string
  plan: BackTestPlan
  metrics: readonly JudgedMetric[]
  now: Date
}

export async function readSite(
  telemetry: Pick<Telemetry, 'read'>,
  { environment, flag, plan, metrics, now }: ReadSiteOptions,
): Promise<PastSite> {
  const to = now.getTime()
  const whole = ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    from: to - limits.backTestDays * day,
    to,
    filter: metrics.some(({ method }) => isOfServers(method)) ? ofEveryOrigin : emptyFilter,
  })
  const { people, reading, first } = await countPeople(whole, flag)
  // A site with one week of data is read for one week.
  const from = Math.max(whole.from, first)
  const every = Math.max(1, Math.ceil(people / limits.backTestUnits))
  const slots = slotsFor(plan, to - from)
  const width = Math.max(1, Math.ceil((to - from) / slots))
  const period = { question: whole.with({ from }), every, slots, width }

  const places = new Map<string, number>()
  const indexOf = (unit: string) => {
    const known = places.get(unit)
    if (known !== undefined) return known
    places.set(unit, places.size)
    return places.size - 1
  }
  const counted = metrics.flatMap(({ method }) => (method.kind === 'quantile' ? [] : [method]))
  const columns = await readCounted(period, counted, indexOf)
  const rows: UnitRows[] = []
  for (const { method } of metrics) {
    const own = method.kind === 'quantile' ? await readBuckets(period, method, indexOf) : columns.shift()
    if (own !== undefined) rows.push(own)
  }
  const site = { units: places.size, slots, width, metrics: rows }
  return { site, from, to, sampled: 1 / every, reading: reading > 0 ? reading / people : 1 }
}

/** Enough slots for the shortest stage to get its looks. */
function slotsFor(plan: BackTestPlan, span: number): number {
  const shortest = Math.min(...plan.stages.map((stage) => longestOf(plan, stage)))
  const wanted = Math.ceil((span * limits.backTestLooks) / shortest)
  return Math.min(limits.backTestSlots, Math.max(fewestSlots, wanted))
}

const fewestSlots = 20

interface People {
  people: number
  reading: number
  first: number
}

async function countPeople(question: Question, flag: string): Promise<People> {
  const reads = `arrayExists(x -> startsWith(x, ${question.bind(`${flag}=`, 'String')}), flags)`
  const [row] = await question.read<People>(
    `SELECT toFloat64(uniq(user_hash)) AS people, toFloat64(uniqIf(user_hash, ${reads})) AS reading,
      toFloat64(toUnixTimestamp64Milli(min(ts))) AS first FROM ${question.events('user_hash != 0')}`,
  )
  return row === undefined || row.people === 0 ? { people: 0, reading: 0, first: question.to - 1 } : row
}

interface Period {
  question: Question
  /** One user in this many is read. */
  every: number
  slots: number
  /** Of a slot, in milliseconds. */
  width: number
}

const slotOf = ({ question, slots, width }: Period) =>
  `toUInt8(least(${slots - 1}, intDiv(toUnixTimestamp64Milli(ts) - ${question.bind(question.from, 'Int64')}, ${question.bind(width, 'Int64')})))`

const sampleOf = ({ question, every }: Period) =>
  `user_hash != 0 AND user_hash % ${question.bind(every, 'UInt64')} = 0`

type Counted = Exclude<Method, { kind: 'quantile' }>

/** In the order of the methods. */
async function readCounted(
  period: Period,
  methods: readonly Counted[],
  indexOf: (unit: string) => number,
): Promise<UnitRows[]> {
  if (methods.length === 0) return []
  const { question } = period
  const columns = methods.map((method) => columnsOf(question, method))
  const pairs = columns.map(({ by, of }) => `(toFloat64(${by}), toFloat64(${of}))`)
  const rows = await question.read<{ slot: number; units: string[]; numbers: [by: number, of: number][][] }>(
    `SELECT slot, groupArray(unit) AS units, groupArray(pairs) AS numbers FROM (
      SELECT user_hash AS unit, ${slotOf(period)} AS slot, [${pairs.join(', ')}] AS pairs
      FROM ${question.events(sampleOf(period))} GROUP BY unit, slot)
    GROUP BY slot ORDER BY slot`,
  )
  return methods.map((_, index) =>
    toColumns(
      rows.map(({ slot, units, numbers }) => ({
        slot,
        units: units.map(indexOf),
        by: numbers.map((pair) => pair[index]?.[0] ?? 0),
        of: numbers.map((pair) => pair[index]?.[1] ?? 0),
      })),
    ),
  )
}

/** Outliers are capped as in the roll-ups. */
const capOf = (measure: string) => ({ CLS: 5, INP: 10_000 })[measure] ?? 60_000

function columnsOf(question: Question, method: Counted): { by: string; of: string } {
  const countOf = (measure: string) =>
    measure === 'session' ? sessionCount : `countIf(${conditionOf(question, measure)})`
  const { measure } = method
  if (method.kind === 'count') return { by: countOf(method.per), of: countOf(measure) }
  const isOfValues = method.kind === 'mean' || (method.kind === 'total' && method.sums === 'values')
  const by = method.kind === 'mean' ? measure : method.of
  if (!isOfValues) return { by: countOf(by), of: countOf(measure) }
  const value = readEventMeasure(measure)
    ? 'greatest(least(value, 1e9), -1e9)'
    : `least(value, ${capOf(measure)})`
  return { by: countOf(by), of: `sumIf(toFloat64(${value}), ${conditionOf(question, measure)})` }
}

/** The buckets of the histograms that the guard reads. */
async function readBuckets(
  period: Period,
  { measure, smallest }: Extract<Method, { kind: 'quantile' }>,
  indexOf: (unit: string) => number,
): Promise<UnitRows> {
  const { question } = period
  const value =
    measure === 'request' || measure === serverRequest || measure === 'long_frame' ? 'duration' : 'value'
  const x0 = question.bind(smallest, 'Float64')
  const rows = await question.read<{ slot: number; units: string[]; by: number[]; of: number[] }>(
    `SELECT slot, groupArray(unit) AS units, groupArray(many) AS by, groupArray(bucket) AS of FROM (
      SELECT user_hash AS unit, ${slotOf(period)} AS slot, toFloat64(count()) AS many,
        ${bucketOf(`toFloat64(${value})`, x0)} AS bucket
      FROM ${question.events(sampleOf(period), conditionOf(question, measure))} GROUP BY unit, slot, bucket)
    GROUP BY slot ORDER BY slot`,
  )
  return toColumns(rows.map((row) => ({ ...row, units: row.units.map(indexOf) })))
}

function toColumns(
  rows: readonly { slot: number; units: readonly number[]; by: readonly number[]; of: readonly number[] }[],
): UnitRows {
  return {
    unit: Uint32Array.from(rows.flatMap(({ units }) => units)),
    slot: Uint8Array.from(rows.flatMap(({ slot, units }) => units.map(() => slot))),
    by: Float64Array.from(rows.flatMap(({ by }) => by)),
    of: Float64Array.from(rows.flatMap(({ of }) => of)),
  }
}
