import type { UnguardedTelltale } from '@telltale/core/contract/telltales'
import { alphaOfSplit } from '@telltale/core/guard/unguarded/split-budget'
import { compareEvidence } from '@telltale/core/states/telltale'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type MetricsByKey, metricsByKey, summarizeWorst } from '../rollouts/summarize-telltale.ts'
import { findJudged, type OpenSplit, type UnguardedRow } from './queries.ts'

/** The worst pair of arms of every judged split. */
export async function listUnguarded(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<UnguardedTelltale[]> {
  const found = await findJudged(db, projectId, env)
  if (found.length === 0) return []
  const metrics = await metricsByKey(db, projectId)
  return found.flatMap(({ split, row }) => toTelltale(split, row, metrics) ?? [])
}

function toTelltale(
  { id, place, epoch, flag, env, startedAt }: OpenSplit,
  { seen, ordinal }: UnguardedRow,
  metrics: MetricsByKey,
): UnguardedTelltale | undefined {
  const pairs = (seen?.pairs ?? []).map((pair) => ({
    pair,
    summary: summarizeWorst(
      {
        state: 'running',
        splitWrong: pair.splitWrong ?? undefined,
        regressed: pair.regressed,
        findings: pair.findings,
      },
      metrics,
    ),
  }))
  const [worst] = pairs.toSorted(
    (a, b) =>
      compareEvidence(evidenceOf(a.summary), evidenceOf(b.summary)) ||
      (b.pair.harm?.usersPerHour ?? 0) - (a.pair.harm?.usersPerHour ?? 0),
  )
  if (seen === null || worst === undefined) return undefined
  const { pair, summary } = worst
  return {
    kind: 'unguarded',
    env,
    flag,
    split: String(id),
    place,
    epoch,
    control: pair.control,
    treatment: pair.treatment,
    startedAt: startedAt.toISOString(),
    checkedAt: seen.at,
    regressed: [...pair.regressed],
    harm: pair.harm,
    alpha: ordinal === null ? null : alphaOfSplit(ordinal),
    users: pair.units,
    ...summary,
  }
}

function evidenceOf({ override, worst }: Pick<UnguardedTelltale, 'override' | 'worst'>) {
  return {
    est: worst?.harm?.estimate ?? Number.NaN,
    lo: worst?.harm?.lower ?? Number.NEGATIVE_INFINITY,
    hi: worst?.harm?.upper ?? Number.POSITIVE_INFINITY,
    limit: worst?.limit ?? 1,
    override: override ?? undefined,
  }
}
