// Whether the guard can see. Silence of telemetry looks like health, so it is measured against what delivery answered: where
// many were served and few are heard of, nothing is believed.
import { limits } from '../limits.ts'
import type { Look, Reason } from './rollout.ts'

/** Heard of fewer than one in five of those expected: more than an outage of a part of the browsers. */
const silentShare = 0.2

export function blindnessOf({ signal, evidence }: Look): Reason | undefined {
  if (evidence === undefined) return 'engine-down'
  if (!(signal.spoolLag <= limits.guardSpoolLag)) return 'spool-behind'
  return isSilent(signal) ? 'telemetry-silent' : undefined
}

function isSilent({ evaluations, heard, expected }: Look['signal']): boolean {
  if (evaluations < limits.guardBlindEvaluations || expected === undefined) return false
  const isArmSilent = (arm: 'treatment' | 'control') =>
    // Of one expected unit nothing follows.
    expected[arm] >= limits.guardBlindUnits && !(heard[arm] >= expected[arm] * silentShare)
  return isArmSilent('treatment') || isArmSilent('control')
}
