import { samplePosition } from '@telltale/core/keys'
import type { Step } from './step.ts'

/**
 * The environment decides how many sessions are stored; it can only reduce what the client chose. A quota or a spike
 * reduces it further.
 */
export const sampleSession: Step = ({ context: { isSampledOut, context } }, { reduced }) => {
  if (!isSampledOut) return undefined
  const isReduced = reduced !== undefined && samplePosition(context.session) < reduced.from
  return isReduced ? reduced.reason : 'sampled_out'
}
