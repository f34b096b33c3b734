import type { DropReason } from '@telltale/core/contract/events'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { AppliedReduction, Reductions } from '../../organisation/quotas/reductions.ts'

interface SessionShare {
  share: number
  reduced?: { from: number; reason: DropReason }
}

/**
 * Of the sessions of an environment, how many are stored now. A quota or a spike keeps a share of what the environment
 * samples: it would drop nothing where that is less already.
 */
export function sessionShareOf(
  reductions: Pick<Reductions, 'of'>,
  environment: Pick<KnownEnvironment, 'id' | 'projectId' | 'keyId' | 'sampling'>,
): SessionShare {
  const share = environment.sampling.session / 100
  const reduction = reductions.of(environment)
  if (reduction === undefined || reduction.share >= 1) return { share }
  return { share: share * reduction.share, reduced: { from: share, reason: reasonOf(reduction) } }
}

const reasonOf = ({ reason }: AppliedReduction): DropReason =>
  reason === 'spike' ? 'sampled_in_spike' : 'sampled_by_quota'
