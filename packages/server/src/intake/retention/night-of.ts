import { limits } from '@telltale/core/limits'

const day = 86_400_000

/** The most recently started night, named by its day in UTC. */
export function nightOf(now: Date): string {
  return new Date(now.getTime() - limits.retentionHour).toISOString().slice(0, 10)
}

export function nextNightAt(now: Date): Date {
  return new Date(Date.parse(`${nightOf(now)}T00:00:00Z`) + day + limits.retentionHour)
}
