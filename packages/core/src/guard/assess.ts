// The overall assessment of one look, from the findings of all metrics, the check of the split and the time watched.
// The first matching case wins. Pure: changes no state.
import type { Finding } from './judge-metric.ts'

export interface Standing {
  state: 'split-wrong' | 'regressed' | 'healthy' | 'inconclusive' | 'collecting' | 'watching'
  wanted: 'wait' | 'proceed' | 'hold' | 'roll-back' | 'policy'
}

export interface Assessed {
  isSplitWrong: boolean
  metrics: readonly {
    state: Finding['state']
    isRequired: boolean
    /** `notify`, or acceptance by a member, leaves the rollout unchanged. */
    onRegression: 'roll-back' | 'hold' | 'notify'
  }[]
  /** Whether the plan has a required metric, accepted or not. */
  hasRequired: boolean
  isDwellOver: boolean
  isTimeBoxOver: boolean
}

export function assess({
  isSplitWrong,
  metrics,
  hasRequired,
  isDwellOver,
  isTimeBoxOver,
}: Assessed): Standing {
  const regressed = metrics.filter(({ state }) => state === 'regressed')
  const breaks = regressed.some(({ onRegression }) => onRegression === 'roll-back')
  if (isSplitWrong) return { state: 'split-wrong', wanted: breaks ? 'roll-back' : 'hold' }
  if (breaks) return { state: 'regressed', wanted: 'roll-back' }
  if (regressed.some(({ onRegression }) => onRegression === 'hold'))
    return { state: 'regressed', wanted: 'hold' }

  const required = metrics.filter(({ isRequired }) => isRequired)
  if (required.length > 0 && required.every(({ state }) => state === 'healthy')) {
    return { state: 'healthy', wanted: isDwellOver ? 'proceed' : 'wait' }
  }
  // Without required metrics, the rollout advances by time and users as long as nothing regressed and something is
  // measured.
  if (!hasRequired && isDwellOver && metrics.some(({ state }) => state !== 'gone'))
    return { state: 'watching', wanted: 'proceed' }
  if (isTimeBoxOver) return { state: 'inconclusive', wanted: 'policy' }
  const isCollecting = required.length === 0 || required.some(({ state }) => state === 'collecting')
  return { state: isCollecting ? 'collecting' : 'watching', wanted: 'wait' }
}
