import type { Sampling } from '../../api/quotas.ts'
import { shareText } from '../../ui/text/measure-text.ts'

const words = { quota: 'a quota is used up', spike: 'of a spike' }

/** `At least 5% of sessions, because a quota is used up. Counts and rates are estimates …`. */
export function sampledText(sampled: readonly Pick<Sampling, 'share' | 'reason'>[]): string {
  const least = Math.min(...sampled.map(({ share }) => share))
  const reasons = [...new Set(sampled.map(({ reason }) => words[reason]))].join(' and ')
  const amount = sampled.length === 1 ? shareText(least) : `Down to ${shareText(least)}`
  return `${amount} of sessions, because ${reasons}. Sessions are dropped whole and alike for every variation: comparisons stay valid, and counts are estimates.`
}
