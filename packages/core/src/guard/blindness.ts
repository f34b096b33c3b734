// Whether the guard can trust telemetry. Missing telemetry looks like health, so it is compared with the evaluations
// served: if many users were served and few are heard from, no finding is trusted.
import { limits } from '../limits.ts'
import type { Look, Reason } from './rollout.ts'

/** Fewer than one in five of the expected units: more than an outage of some browsers. */
const silentShare = 0.2

export function blindnessOf({ signal, evidence }: Look): Reason | undefined {
  if (evidence === undefined) return 'engine-down'
  if (!(signal.spoolLag <= limits.guardSpoolLag)) return 'spool-behind'
  return isSilent(signal) ? 'telemetry-silent' : undefined
}

function isSilent({ evaluations, heard, expected, storedShare = 1 }: Look['signal']): boolean {
  if (evaluations < limits.guardBlindEvaluations || expected === undefined) return false
  const isArmSilent = (arm: 'treatment' | 'control') => {
    // What a quota or a spike drops is not missing. The hour before may have been reduced as well: then this asks for less.
    const units = expected[arm] * storedShare
    // A single expected unit is no evidence.
    return units >= limits.guardBlindUnits && !(heard[arm] >= units * silentShare)
  }
  return isArmSilent('treatment') || isArmSilent('control')
}
