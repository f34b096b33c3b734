const hour = 60
const day = 24 * hour

const choices = {
  idle: [15, 30, hour, 4 * hour, 12 * hour, day, 7 * day, 14 * day, 30 * day, 90 * day],
  maximum: [hour, 8 * hour, 12 * hour, day, 7 * day, 14 * day, 30 * day, 90 * day, 180 * day, 365 * day],
} as const

interface LifetimeChoice {
  value: string
  label: string
}

/** In minutes. A value that was set by the API is a choice, too. */
export function lifetimeChoices(kind: keyof typeof choices, current: number): LifetimeChoice[] {
  const all = new Set<number>([...choices[kind], current])
  return [...all]
    .sort((one, other) => one - other)
    .map((minutes) => ({ value: String(minutes), label: lifetimeText(minutes) }))
}

export function lifetimeText(minutes: number): string {
  if (minutes % day === 0) return countOf(minutes / day, 'day')
  if (minutes % hour === 0) return countOf(minutes / hour, 'hour')
  return countOf(minutes, 'minute')
}

const countOf = (count: number, unit: string) => `${count} ${count === 1 ? unit : `${unit}s`}`
