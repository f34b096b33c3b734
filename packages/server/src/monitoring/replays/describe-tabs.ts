// The segments of a session by tab, with the gaps between them, which the player always shows.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { getReplay } from '@telltale/core/contract/replays'
import { noId } from '@telltale/core/telemetry/row-text'
import type { SegmentRow } from './queries.ts'

export type ReplayTab = ReplyOf<typeof getReplay>['tabs'][number]
type Gap = ReplayTab['gaps'][number]

export const toInstant = (at: string | number) => new Date(Number(at)).toISOString()

/** Rows in the order of their tab and index. */
export function describeTabs(rows: readonly SegmentRow[]): ReplayTab[] {
  const byTab = new Map<string, SegmentRow[]>()
  for (const row of rows) byTab.set(row.tab_id, [...(byTab.get(row.tab_id) ?? []), row])
  return [...byTab.values()]
    .map(describeTab)
    .sort((one, other) => one.startedAt.localeCompare(other.startedAt))
}

function describeTab(rows: readonly SegmentRow[]): ReplayTab {
  const starts = rows.map(({ started_at }) => Number(started_at))
  const ends = rows.map(({ ended_at }) => Number(ended_at))
  return {
    id: rows[0]?.tab_id ?? noId,
    startedAt: toInstant(Math.min(...starts)),
    endedAt: toInstant(Math.max(...ends)),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    segments: rows.map((row) => ({
      index: row.seq,
      view: row.view_id === noId ? null : row.view_id,
      startedAt: toInstant(row.started_at),
      endedAt: toInstant(row.ended_at),
      records: row.records,
      full: row.full_snapshot === 1,
      bytes: row.bytes,
      assets: row.assets,
    })),
    gaps: findGaps(rows),
  }
}

/** After a gap, nothing can be played until the next full snapshot. */
function findGaps(rows: readonly SegmentRow[]): Gap[] {
  const gaps: Gap[] = []
  let expected = 0
  let endedAt: string | undefined
  let isPlayable = false
  for (const { seq, started_at, ended_at, full_snapshot } of rows) {
    const missing = seq - expected
    if (missing > 0) {
      isPlayable = false
      gaps.push({
        from: toInstant(endedAt ?? started_at),
        to: toInstant(started_at),
        missing,
        why: 'missing',
      })
    }
    if (full_snapshot === 1) isPlayable = true
    if (!isPlayable) {
      const last = gaps.at(-1)
      if (last?.why === 'no-beginning') last.to = toInstant(ended_at)
      else
        gaps.push({ from: toInstant(started_at), to: toInstant(ended_at), missing: 0, why: 'no-beginning' })
    }
    expected = seq + 1
    endedAt = ended_at
  }
  return gaps
}
