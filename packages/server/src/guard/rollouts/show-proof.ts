import type { Rollout } from '@telltale/core/contract/rollouts'
import { affectedExcess, fixLevel, fixVerdict, unitsForFix } from '@telltale/core/guard/judge-fix'
import { type RolloutRow, standingOf } from './queries.ts'

type ShownProof = NonNullable<Rollout['proof']>

/** What a rollout has to prove, and what the latest look of the guard says of it. */
export function showProof(row: RolloutRow): ShownProof | null {
  const { proof, seen, draft } = row
  if (proof === null) return null
  const contributors = proof.harms.length
  const fixes = seen?.fixes ?? []
  const again = standingOf(row).regressed.filter((metric) =>
    draft.metrics.some((one) => one.metric === metric),
  )
  return {
    of: proof.of,
    leftOut: proof.leftOut,
    verdict: fixVerdict(
      proof.harms.map((_, index) => fixes[index]?.state ?? 'undecided'),
      again.length > 0,
    ),
    harms: proof.harms.map(({ kind, issue, request, metric, before }, index) => {
      const fix = fixes[index]
      return {
        kind,
        issue,
        request,
        metric,
        before: { affected: before, excess: affectedExcess(before, fixLevel / contributors / 2) },
        now: fix?.now ?? null,
        state: fix?.state ?? 'undecided',
        gone: fix?.gone ?? null,
        units: unitsForFix(before, { contributors }) ?? null,
      }
    }),
  }
}
