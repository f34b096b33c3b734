import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'

const msPerDay = 86_400_000
const dayLength = 10
const usualDays = 30

/** In UTC. */
export const dayText = (at: Date) => at.toISOString().slice(0, dayLength)

/** Days since 1970. */
export const dayNumber = (day: string) => Math.floor(Date.parse(day) / msPerDay)

/** The days of a question, both included. */
export function readDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string; to: string } {
  const last = to ?? dayText(now)
  const first = from ?? dayText(new Date(Date.parse(last) - (usualDays - 1) * msPerDay))
  const days = dayNumber(last) - dayNumber(first) + 1
  if (days < 1) throw refuse('?from', 'must not be after `to`')
  if (days > limits.usageDaysShown)
    throw refuse('?from', `must be at most ${limits.usageDaysShown} days before \`to\``)
  return { from: first, to: last }
}

const refuse = (pointer: string, message: string) =>
  problem('invalid-request', { errors: [{ pointer, message }] })
