// The telltale of a rollout: its worst metric, and the states that take precedence over the numbers.
import type { RolloutState } from '../states/rollout.ts'
import {
  compareEvidence,
  type Evidence,
  type TelltaleOverride,
  telltaleOverrideOf,
} from '../states/telltale.ts'
import type { Finding } from './judge-metric.ts'
import type { SplitFault } from './rollout.ts'

export interface RolloutStanding {
  state: RolloutState
  splitWrong: SplitFault | undefined
  /** Latched: regressed metrics. */
  regressed: readonly string[]
  /** The findings of the latest look. */
  findings: readonly Finding[]
}

export interface Telltale {
  override: TelltaleOverride | undefined
  worst: Finding | undefined
}

export function telltaleOf({ state, splitWrong, regressed, findings }: RolloutStanding): Telltale {
  const overrideOf = (finding: Finding | undefined) =>
    telltaleOverrideOf({
      isGuarded: true,
      wasRolledBack: false,
      isWaiting: finding === undefined || finding.state === 'collecting' || finding.state === 'gone',
      isSplitWrong: splitWrong !== undefined,
      hasRegressed:
        finding !== undefined && (finding.state === 'regressed' || regressed.includes(finding.metric)),
    })
  const [worst] = findings.toSorted((a, b) =>
    compareEvidence(evidenceOf(a, overrideOf(a)), evidenceOf(b, overrideOf(b))),
  )
  // The worst metric is determined before the override: after a rollback all metrics converge.
  return { override: state === 'rolled-back' ? 'down' : overrideOf(worst), worst }
}

function evidenceOf({ harm, limit }: Finding, override: TelltaleOverride | undefined): Evidence {
  return {
    est: harm?.estimate ?? Number.NaN,
    lo: harm?.lower ?? Number.NEGATIVE_INFINITY,
    hi: harm?.upper ?? Number.POSITIVE_INFINITY,
    limit,
    override,
  }
}
