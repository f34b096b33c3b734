// How comparable the arms of a split are, from the evidence that is read for its verdicts.
import type { ComparisonQuality } from '@telltale/core/guard/quality'
import type { ArmName } from '@telltale/core/statistics/sums'
import type { SplitEvidence } from './read-evidence.ts'

export function qualityOf({
  exposures,
  heard,
}: Pick<SplitEvidence, 'exposures' | 'heard'>): ComparisonQuality {
  const sum = (stages: readonly Record<ArmName, number>[], arm: ArmName) =>
    stages.reduce((all, stage) => all + stage[arm], 0)
  const shareOf = (arm: ArmName) => {
    const exposed = sum(exposures.stages, arm)
    return exposed > 0 ? Math.min(1, sum(heard, arm) / exposed) : 0
  }
  const isAnyone = sum(exposures.stages, 'treatment') + sum(exposures.stages, 'control') > 0
  return {
    crossed: exposures.crossed,
    reexposed: exposures.reexposed,
    heard: isAnyone ? { treatment: shareOf('treatment'), control: shareOf('control') } : undefined,
  }
}
