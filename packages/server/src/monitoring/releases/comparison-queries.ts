// The sums of a comparison, computed in the telemetry engine: units in strata never leave it. The same as `stratify` in
// the tests of core's statistics, with which the test of this folder compares it.

import { bucketMaximum } from '@telltale/core/statistics/buckets'
import type { Standardised, StratifiedArm, StratifiedSums } from '@telltale/core/statistics/stratified'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { bucketOf } from '../../platform/engines/clickhouse/schema/unit-buckets.ts'
import { ofBrowsers } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { versionedSessions } from './queries.ts'

/** `treatment` is the version, `control` the one it is compared with. */
export interface Versions {
  version: string
  base: string
}

/** Rows of `stratum`, `arm` (1: the version), `unit`, `n` and `y`: one for each user, stratum and version. */
type Units = string

const stratum = (at: string) => `(toStartOfHour(${at}), toString(country))`

/** Sessions and those with an uncaught error. */
export function crashUnits(question: Question, { version, base }: Versions): Units {
  const names = question.bind([version, base], 'Array(String)')
  return `(SELECT ${stratum('started')} AS stratum, toUInt8(release = ${question.bind(version, 'String')}) AS arm,
    user_hash AS unit, toFloat64(count()) AS n, toFloat64(countIf(crashed)) AS y
  FROM ${versionedSessions(question)} WHERE has(${names}, release) GROUP BY stratum, arm, unit)`
}

/** Requests and those that failed. */
export function requestUnits(question: Question, versions: Versions): Units {
  const rows = eventsOf(question, versions, ["kind = 'resource'", "res_endpoint != ''"])
  return `(SELECT ${stratum('ts')} AS stratum, ${armOf(question, versions)} AS arm, user_hash AS unit,
    toFloat64(count()) AS n, toFloat64(countIf(res_failed = 1)) AS y FROM ${rows} GROUP BY stratum, arm, unit)`
}

/** Views and the errors in them, at most one for each view. */
export function errorUnits(question: Question, versions: Versions): Units {
  const rows = eventsOf(question, versions, ["kind IN ('view', 'error')"])
  return `(SELECT ${stratum('ts')} AS stratum, ${armOf(question, versions)} AS arm, user_hash AS unit,
    toFloat64(uniqExactIf(view_id, kind = 'view')) AS n,
    toFloat64(least(uniqExactIf(view_id, kind = 'error'), uniqExactIf(view_id, kind = 'view'))) AS y
  FROM ${rows} GROUP BY stratum, arm, unit HAVING n > 0)`
}

export const smallestOf = (name: VitalName) => (name === 'CLS' ? 0.001 : 1)

interface Beyond {
  bucket: Record<'treatment' | 'control', number>
  part: Record<'treatment' | 'control', number>
}

interface OfVital {
  versions: Versions
  name: VitalName
}

const vitalBucket = (name: VitalName) => bucketOf('toFloat64(value)', `${smallestOf(name)}`)

/** Page loads and those beyond the quantile of their version; all of them count as not beyond without one. */
export function vitalUnits(question: Question, { versions, name }: OfVital, beyond?: Beyond): Units {
  const arm = armOf(question, versions)
  const above =
    beyond === undefined
      ? '0'
      : `sum(if(arm = 1, ${partBeyond(beyond, 'treatment')}, ${partBeyond(beyond, 'control')}))`
  return `(SELECT stratum, arm, unit, toFloat64(count()) AS n, toFloat64(${above}) AS y
  FROM (SELECT ${stratum('ts')} AS stratum, ${arm} AS arm, user_hash AS unit, ${vitalBucket(name)} AS bucket
    FROM ${vitalRows(question, { versions, name })}) GROUP BY stratum, arm, unit)`
}

const partBeyond = ({ bucket, part }: Beyond, arm: 'treatment' | 'control') =>
  `multiIf(bucket > ${bucket[arm]}, 1., bucket = ${bucket[arm]}, ${part[arm]}, 0.)`

function vitalRows(question: Question, { versions, name }: OfVital): string {
  return eventsOf(question, versions, ["kind = 'vital'", `name = ${question.bind(name, 'String')}`])
}

function eventsOf(question: Question, { version, base }: Versions, conditions: readonly string[]): string {
  return question.events(
    ...conditions,
    ofBrowsers,
    `has(${question.bind([version, base], 'Array(String)')}, version)`,
  )
}

const armOf = (question: Question, { version }: Versions) =>
  `toUInt8(version = ${question.bind(version, 'String')})`

/** Strata with both versions, and their weights before these are divided by their sum. */
const weighed = (units: Units) => `(SELECT stratum, sumIf(n, arm = 1) AS n1, sumIf(n, arm = 0) AS n0,
    sumIf(y, arm = 1) AS y1, sumIf(y, arm = 0) AS y0, countIf(arm = 1) AS u1, countIf(arm = 0) AS u0,
    n1 * n0 / (n1 + n0) AS weight
  FROM ${units} GROUP BY stratum HAVING n1 > 0 AND n0 > 0)`

interface ArmRow {
  arm: number
  strata: string
  units: string
  affected: string
  n: number
  mean: number
  own: number
  pooled: number
  all: number
}

const none: StratifiedArm = { units: 0, affected: 0, n: 0, mean: 0, own: 0, pooled: 0 }
const small = (units: string) => `if(${units} > 1, sqrt(${units} / (${units} - 1)), 1)`

export async function sumUnits(question: Question, units: Units): Promise<StratifiedSums> {
  const rows = await question.read<ArmRow>(
    `WITH (SELECT (count(), sum(weight)) FROM ${weighed(units)}) AS total
    SELECT arm, toString(total.1) AS strata, toString(count()) AS units, toString(countIf(affected_y > 0)) AS affected,
      sum(unit_n) AS n, sum(unit_mean) AS mean, sum(unit_own * unit_own) AS own, sum(unit_pooled * unit_pooled) AS pooled,
      any(total.2) AS all
    FROM (
      SELECT arm, unit, sum(y) AS affected_y, sum(n) AS unit_n, sum(share * y) AS unit_mean,
        sum(share * (y - if(arm = 1, y1 / n1, y0 / n0) * n) * if(arm = 1, ${small('u1')}, ${small('u0')})) AS unit_own,
        sum(share * (y - (y1 + y0) / (n1 + n0) * n) * ${small('(u1 + u0)')}) AS unit_pooled
      FROM (SELECT u.arm AS arm, u.unit AS unit, u.n AS n, u.y AS y, s.n1 AS n1, s.n0 AS n0, s.y1 AS y1, s.y0 AS y0,
          s.u1 AS u1, s.u0 AS u0, s.weight / total.2 / if(u.arm = 1, s.n1, s.n0) AS share
        FROM ${units} AS u INNER JOIN ${weighed(units)} AS s ON s.stratum = u.stratum)
      GROUP BY arm, unit)
    GROUP BY arm`,
  )
  const armOfRow = (arm: number): StratifiedArm => {
    const row = rows.find((one) => one.arm === arm)
    if (row === undefined) return none
    const { n, mean, own, pooled } = row
    return { units: Number(row.units), affected: Number(row.affected), n, mean, own, pooled }
  }
  return { strata: Number(rows[0]?.strata ?? 0), treatment: armOfRow(1), control: armOfRow(0) }
}

/** The shares of all page loads by bucket, standardised over the strata. */
export async function readHistograms(question: Question, of: OfVital): Promise<Standardised> {
  const { versions, name } = of
  const rows = await question.read<{ arm: number; bucket: number; share: number }>(
    `SELECT v.arm AS arm, v.bucket AS bucket, sum(v.c * s.weight / if(v.arm = 1, s.n1, s.n0)) AS share
    FROM (SELECT ${stratum('ts')} AS stratum, ${armOf(question, versions)} AS arm, ${vitalBucket(name)} AS bucket,
        count() AS c FROM ${vitalRows(question, of)} GROUP BY stratum, arm, bucket) AS v
    INNER JOIN ${weighed(vitalUnits(question, of))} AS s ON s.stratum = v.stratum GROUP BY arm, bucket`,
  )
  const histogram = (arm: number) => {
    const shares = new Array<number>(bucketMaximum + 1).fill(0)
    for (const row of rows) if (row.arm === arm) shares[row.bucket] = row.share
    return shares
  }
  return { treatment: histogram(1), control: histogram(0) }
}
