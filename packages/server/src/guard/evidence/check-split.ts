// Whether the arms of a split have the sizes that its weights say.

import type { Comparison } from '@telltale/core/contract/impact'
import { isSplitWrong, logSplitEvidence, type StageEvents } from '@telltale/core/statistics/event-share'
import type { Static } from 'typebox'
import type { ComparedArms } from './split-question.ts'

type SplitState = Static<typeof Comparison>['split']
type SplitCheck = Static<typeof Comparison>['check']

export function splitState(exposures: readonly StageEvents[], heard: readonly StageEvents[]): SplitState {
  if (isSplitWrong(exposures)) return 'split-wrong'
  return isSplitWrong(heard) ? 'people-missing' : 'as-designed'
}

export function checkOf(exposures: readonly StageEvents[], { epochs }: ComparedArms): SplitCheck {
  const treatment = exposures.reduce((sum, stage) => sum + stage.treatment, 0)
  const all = exposures.reduce((sum, stage) => sum + stage.treatment + stage.control, 0)
  return {
    designed: epochs.at(-1)?.share ?? 0,
    seen: all > 0 ? treatment / all : null,
    p: Math.min(1, Math.exp(-logSplitEvidence(exposures))),
  }
}
