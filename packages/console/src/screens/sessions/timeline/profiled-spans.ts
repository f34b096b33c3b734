// When a session was profiled, in milliseconds since it began.

import type { ProfileSummary } from '../../../api/profiles.ts'
import type { Session } from '../../../api/sessions.ts'
import { durationText, lengthText } from '../../../ui/text/measure-text.ts'
import type { ProfiledSpan } from './lanes.ts'

export function profiledSpans(
  profiles: readonly ProfileSummary[],
  { startedAt }: Pick<Session, 'startedAt'>,
): ProfiledSpan[] {
  return profiles.map(({ id, startedAt: begun, duration, busyMs, page }) => {
    const at = Date.parse(begun) - Date.parse(startedAt)
    return {
      ...{ id, from: Math.max(0, at), to: Math.max(0, at + duration) },
      label: `Profile of ${page} at ${lengthText(at)}, ${durationText(busyMs)} busy`,
    }
  })
}

/** The one that ran at an instant. Windows of several tabs lie over each other: the last one that began. */
export function profileAt(spans: readonly ProfiledSpan[], at: number): ProfiledSpan | undefined {
  return spans.findLast(({ from, to }) => from <= at && at < to)
}
