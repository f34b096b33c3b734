import type { QuotaMeter } from '@telltale/core/usage/decide-quota'
import type { UsedQuota } from './queries.ts'

const words: Readonly<Record<QuotaMeter, string>> = {
  events: 'events',
  sessions: 'sessions',
  replayBytes: 'bytes of replays',
  bytes: 'bytes received',
  evaluations: 'flag evaluations',
}

/** What the notices call it: `1,000 events a day of the key Shop`. */
export function quotaTitle({ quota, key }: Pick<UsedQuota, 'quota' | 'key'>): string {
  const amount = `${quota.most.toLocaleString('en')} ${words[quota.meter]} a ${quota.period}`
  return key === undefined ? amount : `${amount} of the key ${key.label || key.prefix}`
}

export function quotaText(found: UsedQuota, isOver: boolean): string {
  const title = quotaTitle(found)
  if (!isOver) return `80% of the quota is used: ${title}`
  return `The quota is used up: ${title}. ${consequenceOf(found.quota.meter)}`
}

function consequenceOf(meter: QuotaMeter): string {
  if (meter === 'evaluations') return 'Flags are still evaluated.'
  if (meter === 'replayBytes') return 'Replays and profiles are paused.'
  return 'Replays and profiles are paused, and only some sessions are stored.'
}
