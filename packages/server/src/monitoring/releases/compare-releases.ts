import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { vitalNames } from '@telltale/core/contract/events'
import { type compareReleases as compareReleasesCall, releaseCaveat } from '@telltale/core/contract/releases'
import { problem } from '@telltale/core/errors'
import {
  type Compared,
  compareQuantiles,
  compareShares,
  locateQuantiles,
  type StratifiedSums,
} from '@telltale/core/statistics/stratified'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import {
  crashUnits,
  errorUnits,
  readHistograms,
  requestUnits,
  smallestOf,
  sumUnits,
  type Versions,
  vitalUnits,
} from './comparison-queries.ts'

type Reply = ReplyOf<typeof compareReleasesCall>
type Metric = Reply['metrics'][number]

export async function compareReleases(
  question: Question,
  { version, base }: QueryOf<typeof compareReleasesCall>,
): Promise<Reply> {
  if (version === base)
    throw problem('invalid-request', {
      errors: [{ pointer: '?base', message: 'must be another version than `version`' }],
    })
  const versions = { version, base }
  const shares = [
    { metric: 'crashed-sessions', units: crashUnits },
    { metric: 'failed-requests', units: requestUnits },
    { metric: 'views-with-error', units: errorUnits },
  ] as const
  const measured = await Promise.all([
    ...shares.map(async ({ metric, units }) => {
      // A question of its own: parameters are numbered by statement.
      const own = question.with({})
      const sums = await sumUnits(own, units(own, versions))
      return toMetric(metric, sums, compareShares(sums))
    }),
    ...vitalNames.map((name) => compareVital(question, { versions, name })),
  ])
  return { ...periodOf(question), version, base, caveat: releaseCaveat, metrics: measured }
}

const p75 = 0.75

async function compareVital(
  question: Question,
  { versions, name }: { versions: Versions; name: VitalName },
): Promise<Metric> {
  const of = { versions, name }
  const histograms = await readHistograms(question.with({}), of)
  const quantiles = locateQuantiles(histograms, p75)
  const own = question.with({})
  const beyond = await sumUnits(own, vitalUnits(own, of, quantiles))
  return toMetric(
    name,
    beyond,
    quantiles === undefined
      ? { missing: 'no-units' }
      : compareQuantiles(histograms, { p: p75, smallest: smallestOf(name), beyond }),
  )
}

function toMetric(metric: Metric['metric'], sums: StratifiedSums, compared: Compared): Metric {
  const { strata, treatment, control } = sums
  const users = { version: treatment.units, base: control.units }
  if ('missing' in compared)
    return { metric, strata, users, missing: compared.missing, values: null, change: null }
  const { change, lower, upper, ...values } = compared.comparison
  return {
    metric,
    strata,
    users,
    missing: null,
    values: { version: values.treatment, base: values.control },
    change: { estimate: change, lower, upper },
  }
}
