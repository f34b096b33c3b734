// The weights of a split while it is edited: they always sum to 100%.

import { limits } from '@telltale/core/limits'
import { percentText } from '../../../ui/text/weight-text.ts'
import type { SplitDraft } from './draft.ts'

type Arms = SplitDraft['split']

export function sumOf(arms: Arms): number {
  return arms.reduce((sum, { weight }) => sum + weight, 0)
}

/** The remainder goes to the first variations, a thousandth of a percent each. */
export function spreadEvenly(arms: Arms): Arms {
  const share = Math.floor(limits.weightTotal / arms.length)
  const left = limits.weightTotal - share * arms.length
  return arms.map((arm, index) => ({ ...arm, weight: share + (index < left ? 1 : 0) }))
}

/** Sets one weight. The last one compensates, or the first when the last one is set, as far as possible. */
export function setWeight(arms: Arms, index: number, weight: number): Arms {
  const next = arms.map((arm, at) => (at === index ? { ...arm, weight } : arm))
  if (arms.length < 2 || Number.isNaN(weight)) return next
  const follower = index === arms.length - 1 ? 0 : arms.length - 1
  const others = sumOf(next.filter((_, at) => at !== follower))
  const rest = limits.weightTotal - others
  if (!(rest >= 0)) return next
  return next.map((arm, at) => (at === follower ? { ...arm, weight: rest } : arm))
}

/** Undefined if they can be saved. */
export function weightsFault(arms: Arms): string | undefined {
  if (arms.some(({ weight }) => Number.isNaN(weight)))
    return 'Enter percentages from 0 to 100, with at most three decimals.'
  const sum = sumOf(arms)
  if (sum === limits.weightTotal) return undefined
  const gap = percentText(Math.abs(limits.weightTotal - sum))
  return `They sum to ${percentText(sum)}%: ${gap}% ${sum > limits.weightTotal ? 'too much' : 'missing'}.`
}
