// Units with the frozen harms of a rollback in the arms of the next rollout, from raw events: the roll-ups have no issues
// and no requests.

import type { AffectedUnits } from '@telltale/core/guard/judge-fix'
import type { FrozenHarm } from '@telltale/core/guard/rollout-proof'
import type { ArmName } from '@telltale/core/statistics/sums'
import { inGroups } from '../../monitoring/issues/seen-errors.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { rowsOfArms } from './rows-of-arms.ts'
import { type ComparedArms, questionOfSplit, type SplitQuestion } from './split-question.ts'

/** A harm with all groups of errors of its issue today: a new build may have another group. */
export type WatchedHarm = FrozenHarm & { groups: readonly string[] }

interface Counting {
  harms: readonly WatchedHarm[]
  /** All exposed units. */
  units: Record<ArmName, number>
  now: Date
}

const hour = 3_600_000

/** In the order of the harms. A unit counts in each arm in which it was affected. */
export async function countHarmed(
  telemetry: Pick<Telemetry, 'read'>,
  arms: ComparedArms,
  { harms, units, now }: Counting,
): Promise<AffectedUnits[]> {
  const question = questionOfSplit(telemetry, arms)
  const conditions = harms.map((harm) => conditionOf(question, harm))
  const key = `multiIf(${conditions.map((condition, index) => `${condition}, ${index + 1}`).join(', ')}, 0)`
  const period = { from: question.since ?? 0, to: now.getTime() + hour }
  const rows = rowsOfArms(question, period, {
    columns: { harm_: key },
    conditions: [`(${conditions.join(' OR ')})`],
  })
  const found = await question.read<{ harm: number; in_treatment: number; affected: number }>(
    `SELECT toUInt32(harm_) AS harm, toUInt8(treated) AS in_treatment, toFloat64(uniqExact(unit)) AS affected
    FROM (${rows}) GROUP BY harm, in_treatment`,
  )
  return harms.map((_, index) => {
    const share = (arm: ArmName) => {
      const isTreatment = arm === 'treatment' ? 1 : 0
      const row = found.find((one) => one.harm === index + 1 && one.in_treatment === isTreatment)
      const hits = row?.affected ?? 0
      return { hits, total: Math.max(units[arm], hits) }
    }
    return { treatment: share('treatment'), control: share('control') }
  })
}

function conditionOf({ bind }: SplitQuestion, { kind, groups, request }: WatchedHarm): string {
  if (kind === 'issue') return `(kind = 'error' AND ${inGroups(groups)})`
  const { method = '', host = '', endpoint = '' } = request ?? {}
  const same = [
    `res_method = ${bind(method, 'String')}`,
    `res_host = ${bind(host, 'String')}`,
    `res_endpoint = ${bind(endpoint, 'String')}`,
  ]
  return `(kind = 'resource' AND (res_failed = 1 OR res_status >= 500) AND ${same.join(' AND ')})`
}
