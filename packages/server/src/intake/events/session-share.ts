import type { DropReason } from '@telltale/core/contract/events'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { AppliedReduction, Reductions } from '../../organisation/quotas/reductions.ts'

interface SessionShare {
  share: number
  reduced?: { from: number; reason: DropReason }
}

/** Of the sessions of an environment, how many are stored now. */
export function sessionShareOf(
  reductions: Pick<Reductions, 'of'>,
  environment: Pick<KnownEnvironment, 'id' | 'projectId' | 'keyId' | 'sampling'>,
): SessionShare {
  const share = environment.sampling.session / 100
  const reduction = reductions.of(environment)
  if (reduction === undefined || reduction.share >= share) return { share }
  return { share: reduction.share, reduced: { from: share, reason: reasonOf(reduction) } }
}

export const reasonOf = ({ reason }: AppliedReduction): DropReason =>
  reason === 'spike' ? 'sampled_in_spike' : 'sampled_by_quota'
