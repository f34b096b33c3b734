// Units of splits that had an issue: in which stages and arms each had it first. A unit counts once, however many errors
// it had.

import { attributed } from '@telltale/core/attribution-limits'
import { fewestFailed, type RunEpoch } from '@telltale/core/guard/attribute-failures'
import type { Question } from '../explore/question.ts'
import { type GroupedIssue, inGroups, isError, locationOf } from './seen-errors.ts'

/** Units with the same way through the epochs of a split: where the issue came first in each epoch, in order of time. */
export interface FailedUnits {
  /** The index of the issue, from 1. */
  place: number
  split: string
  path: [epoch: number, arm: string][]
  units: number
}

/** For the period of the question, whatever its filter. */
export async function countFailedUnits(
  question: Question,
  issues: readonly GroupedIssue[],
): Promise<FailedUnits[]> {
  const groups = issues.flatMap((issue) => issue.groups)
  if (groups.length === 0) return []
  const rows = `SELECT ${locationOf(issues, 'err_group')} AS place, toUnixTimestamp64Milli(ts) AS at, arrayJoin(arms) AS one
    FROM ${question.events(isError, inGroups(groups), 'notEmpty(arms)')}`
  const byEpoch = `SELECT place, one.1 AS split, one.4 AS unit, one.2 AS epoch, min((at, toString(one.3))) AS first
    FROM (${rows}) GROUP BY place, split, unit, epoch`
  const byUnit = `SELECT place, split, unit, arrayMap(f -> (f.2, f.3), arraySort(groupArray((first.1, epoch, first.2)))) AS path
    FROM (${byEpoch}) GROUP BY place, split, unit`
  return question.read<FailedUnits>(
    `SELECT place, toString(split) AS split, path, toFloat64(count()) AS units
    FROM (${byUnit}) GROUP BY place, split, path ORDER BY units DESC, path LIMIT ${attributed.paths}`,
  )
}

/** By epoch and arm, each unit where it first failed in these epochs. */
export function firstFailures(
  failed: readonly Pick<FailedUnits, 'path' | 'units'>[],
  epochs: readonly Pick<RunEpoch, 'epoch' | 'arms'>[],
): RunEpoch[] {
  const known = new Map(epochs.map((epoch) => [epoch.epoch, { ...epoch, failed: new Map<string, number>() }]))
  for (const { path, units } of failed) {
    const first = path.find(([epoch, arm]) =>
      known.get(epoch)?.arms.some(({ variation, weight }) => variation === arm && weight > 0),
    )
    const counts = first && known.get(first[0])?.failed
    if (first && counts) counts.set(first[1], (counts.get(first[1]) ?? 0) + units)
  }
  return [...known.values()]
}

/** Issues of the period that as many users had as a comparison needs: each is searched in the same way. */
export async function countSearchedIssues(question: Question): Promise<number> {
  const [row] = await question.read<{ searched: string }>(
    `SELECT count() AS searched FROM (
      SELECT err_group FROM ${question.events(isError, 'notEmpty(arms)')}
      GROUP BY err_group HAVING uniqUpTo(${fewestFailed})(user_hash) >= ${fewestFailed})`,
  )
  return Math.max(1, Number(row?.searched ?? 0))
}

/** Units by the epoch and arm of their first exposure in these epochs of a split. */
export async function countExposedUnits(
  question: Question,
  { split, first, last }: { split: string; first: number; last: number },
): Promise<Map<number, Map<string, number>>> {
  const { bind } = question
  const rows = await question.read<{ epoch: number; arm: string; units: number }>(
    `SELECT began.2 AS epoch, began.3 AS arm, toFloat64(count()) AS units FROM (
      SELECT unit, min((first_arm.1, epoch, first_arm.2)) AS began
      FROM ${question.rowsOf('exposures', `split = ${bind(split, 'UInt64')}`, `epoch >= ${bind(first, 'UInt32')}`, `epoch <= ${bind(last, 'UInt32')}`)}
      GROUP BY unit)
    GROUP BY began.2, began.3`,
  )
  const exposed = new Map<number, Map<string, number>>()
  for (const { epoch, arm, units } of rows) {
    const arms = exposed.get(epoch) ?? new Map<string, number>()
    exposed.set(epoch, arms.set(arm, units))
  }
  return exposed
}
