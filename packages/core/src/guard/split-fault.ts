import { isSplitWrong, type StageEvents } from '../statistics/event-share.ts'
import type { SplitFault } from './rollout.ts'

/** Whether users were not split as designed, or those of one arm send no telemetry. */
export function splitFaultOf({
  exposures,
  heard,
}: {
  exposures: readonly StageEvents[]
  heard: readonly StageEvents[]
}): SplitFault | undefined {
  if (isSplitWrong(exposures)) return 'split-wrong'
  return isSplitWrong(heard) ? 'people-missing' : undefined
}
