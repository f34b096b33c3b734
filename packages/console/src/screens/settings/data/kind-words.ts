import type { RetentionKind } from '@telltale/core/query/retention'

export const kindWords: Readonly<Record<RetentionKind, { label: string; hint: string; colour: string }>> = {
  events: {
    label: 'Events',
    hint: 'Views, vitals, errors, requests and actions.',
    colour: 'bg-v1',
  },
  replays: { label: 'Replays', hint: 'Recordings, with their style sheets and fonts.', colour: 'bg-v2' },
  profiles: { label: 'Profiles', hint: 'Sampled stacks.', colour: 'bg-v3' },
  exposures: {
    label: 'Exposures',
    hint: 'Users by variation, and totals per flag.',
    colour: 'bg-v4',
  },
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `21 Nov 2026` of `2026-11-21`. */
export function dayText(day: string): string {
  return format.format(Date.parse(`${day}T00:00:00Z`))
}
