// The profiled parts of a session, in milliseconds since its start.

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
      id,
      from: Math.max(0, at),
      to: Math.max(0, at + duration),
      label: `Profile of ${page} at ${lengthText(at)}, ${durationText(busyMs)} busy`,
    }
  })
}

/** The profile at an instant. Profiles of several tabs overlap: the one that started last. */
export function profileAt(spans: readonly ProfiledSpan[], at: number): ProfiledSpan | undefined {
  return spans.findLast(({ from, to }) => from <= at && at < to)
}
