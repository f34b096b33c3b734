// When a session was profiled. A profile covers one window of one view: it ends with its time, its view, or the next window.

import { limits } from '@telltale/core/limits'
import type { ProfileSummary } from '../../../api/profiles.ts'
import type { Session } from '../../../api/sessions.ts'
import { durationText, lengthText } from '../../../ui/measure-text.ts'
import type { ProfiledSpan } from './lanes.ts'

export function profiledSpans(
  profiles: readonly ProfileSummary[],
  { startedAt, endedAt }: Pick<Session, 'startedAt' | 'endedAt'>,
): ProfiledSpan[] {
  const [start, end] = [Date.parse(startedAt), Date.parse(endedAt)]
  return profiles.map(({ id, startedAt: begun, busyMs, page, view }, index) => {
    const at = Date.parse(begun)
    const next = profiles.slice(index + 1).find((one) => one.view === view || view === null)
    const to = Math.min(
      at + limits.profileWindow,
      next ? Date.parse(next.startedAt) : Math.max(end, at + busyMs),
    )
    return {
      ...{ id, from: Math.max(0, at - start), to: Math.max(0, to - start) },
      label: `Profile of ${page} at ${lengthText(at - start)}, ${durationText(busyMs)} busy`,
    }
  })
}

/** The one that ran at an instant, or shortly before: a long frame is told when it is over. */
export function profileAt(spans: readonly ProfiledSpan[], at: number): ProfiledSpan | undefined {
  return spans.findLast(({ from, to }) => from <= at && at < to)
}
