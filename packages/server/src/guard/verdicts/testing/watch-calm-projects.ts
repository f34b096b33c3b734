// Many projects with harmless splits, from events to verdicts on the real engine. The arms do not differ, and
// everything else is a worst case: both get slower and fail more often with time, a user's views are correlated, any
// harm above zero counts, and the weights of every split change once, which begins it from nothing.
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { judgePair, type PairVerdict } from '@telltale/core/guard/unguarded/judge-split'
import { alphaOfSplit } from '@telltale/core/guard/unguarded/split-budget'
import { usuallyGuarded } from '@telltale/core/guard/usual-plan'
import type { Telemetry } from '../../../platform/engines/clickhouse/telemetry.ts'
import { readEvidenceTogether } from '../../evidence/read-evidence.ts'

export interface CalmRun {
  telemetry: Pick<Telemetry, 'read' | 'command'>
  environment: string
  projects: number
  splits: number
  /** New users of each split before each look. */
  people: number
  looks: number
  /** Harm of the first split of every project: the treatment's errors are multiplied by this. Default: none. */
  planted?: number
}

export interface CalmEnd {
  /** Projects in which any split was ever called regressed. */
  regressed: number
  /** Splits that were. */
  splits: number
  splitWrong: number
}

const step = 60_000
const together = 20
const begun = Date.UTC(2026, 10, 1)
const firstSplit = 90_000
const shares = [0.5, 0.3]
const metrics = builtInMetrics
  .filter(({ key }) => usuallyGuarded.has(key))
  .map((one) => freezeMetric(one, { limit: 1e-6, base: undefined }))
const pair = { treatment: 'on', control: 'off' }

export async function watchCalmProjects(run: CalmRun): Promise<CalmEnd> {
  const { projects, splits, looks, telemetry } = run
  const all = Array.from({ length: projects * splits }, (_, index) => index)
  const latest = new Map<number, PairVerdict>()
  const regressed = new Set<number>()
  const wrong = new Set<number>()
  for (let look = 1; look <= looks; look += 1) {
    const epoch = look <= looks / 2 ? 1 : 2
    if (look === Math.floor(looks / 2) + 1) latest.clear()
    // In parts, to limit the memory of one insert.
    for (let from = 0; from < all.length; from += insertedTogether)
      await telemetry.command(renderArrivals(run, { from, look, epoch }))
    for (let from = 0; from < all.length; from += together) {
      const group = all.slice(from, from + together)
      for (const [index, verdict] of await lookAtSome(run, { group, epoch, latest })) {
        latest.set(index, verdict)
        if (verdict.regressed.length > 0) regressed.add(index)
        if (verdict.splitWrong !== null) wrong.add(index)
      }
    }
  }
  return {
    regressed: new Set([...regressed].map((index) => Math.floor(index / splits))).size,
    splits: regressed.size,
    splitWrong: wrong.size,
  }
}

const insertedTogether = 500

async function lookAtSome(
  { telemetry, environment, splits }: CalmRun,
  {
    group,
    epoch,
    latest,
  }: { group: readonly number[]; epoch: number; latest: ReadonlyMap<number, PairVerdict> },
): Promise<[index: number, verdict: PairVerdict][]> {
  const [first, ...others] = group.map((index) => ({
    arms: {
      environmentId: environment,
      split: String(firstSplit + index),
      epochs: [{ epoch, share: shares[epoch - 1] ?? 0.5 }],
      ...pair,
    },
    metrics,
  }))
  if (first === undefined) return []
  const found = await readEvidenceTogether(telemetry, [first, ...others])
  return group.map((index, place) => {
    const seen = found[place]
    if (seen === undefined) throw new Error('every split was asked about')
    // The second epochs follow the first ones of all splits of the project.
    const ordinal = 1 + (index % splits) + (epoch - 1) * splits
    const { exposures, heard, metrics: evidence } = seen
    const read = { units: exposures.units, exposures: exposures.stages, heard, metrics: evidence }
    const judging = { metrics, evidence: read, alpha: alphaOfSplit(ordinal) }
    return [index, judgePair(pair, judging, latest.get(index))]
  })
}

/** A tenth of the users came before, in the same bucket. Each has one to six correlated views. */
function renderArrivals(
  { environment, people, projects, splits, looks, planted = 1 }: CalmRun,
  { from, look, epoch }: { from: number; look: number; epoch: number },
): string {
  const even = (salt: string, of: string) => `((cityHash64('${salt}', ${of}) % 1000003 + 0.5) / 1000003)`
  const normal = (salt: string, of: string) =>
    `(sqrt(-2 * log(${even(`${salt}1`, of)})) * cos(2 * pi() * ${even(`${salt}2`, of)}))`
  const trend = look / looks
  const count = Math.min(insertedTogether, projects * splits - from)
  const harm = `if(split % ${splits} = 0 AND is_on, ${planted}, 1)`
  return `
INSERT INTO events (environment_id, kind, ts, event_id, session_id, name, value, res_endpoint, res_failed, arms)
SELECT '${environment}', act.1, fromUnixTimestamp64Milli(toInt64(${begun + (look - 1) * step}) + number % ${step}), generateUUIDv4(),
  toUUID('0198a2c4-0000-7000-8000-000000000001'), if(act.1 = 'vital', 'LCP', ''),
  if(act.1 = 'vital', 1500 * exp(${(0.5 * trend).toFixed(4)} + 0.7 * ${normal('person', 'unit')} + 0.3 * ${normal('view', 'unit, act.2, number')}), 0),
  if(act.1 = 'resource', '/api/cart', ''), act.1 = 'resource' AND act.2 = 1,
  [(toUInt64(${firstSplit} + split), toUInt32(${epoch}), if(is_on, 'on', 'off'), unit)]
FROM (
  SELECT number, ${from} + intDiv(number, ${people}) AS split, if(number % 10 = 0 AND ${look} > 1, ${look} - 1, ${look}) AS came,
    cityHash64(split, number % ${people}, came) AS unit, ${even('place', 'unit')} < ${shares[epoch - 1] ?? 0.5} AS is_on,
    arrayConcat([('exposure', 0), ('view', 0), ('resource', ${even('fails', 'unit')} < 0.03)], arrayMap(i -> ('vital', i), range(1 + unit % 3)),
      if(${even('error', 'unit')} < ${(0.02 + 0.04 * trend).toFixed(4)} * ${harm}, arrayMap(i -> ('error', i), range(1 + unit % 4)), [])) AS acts
  FROM numbers(${people * count}))
ARRAY JOIN acts AS act`
}
