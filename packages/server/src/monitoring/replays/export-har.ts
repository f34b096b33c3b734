// The requests of a session as an HTTP archive: its events, and what its recording contains of them.

import { problem } from '@telltale/core/errors'
import { type HarResource, type HarView, writeHar } from '@telltale/core/telemetry/har'
import type { TimelineRow } from '../sessions/timeline-queries.ts'
import { findDetails, findEvents } from './find-whole.ts'
import type { SegmentSource } from './read-segments.ts'

export async function exportHar(
  source: SegmentSource,
  { session, version }: { session: string; version: string },
): Promise<Buffer> {
  const rows = await findEvents(source, session)
  if (rows.length === 0) throw problem('not-found', 'The session has no events, or they were deleted.')
  const details = await findDetails(source, session)
  const views = rows.filter(({ kind }) => kind === 'view').map(toView)
  const resources = rows.filter(({ kind }) => kind === 'resource').map(toResource)
  return Buffer.from(JSON.stringify(writeHar({ views, resources, details, version }), null, 1))
}

const toView = ({ view_id: id, page, url, at }: TimelineRow): HarView => ({
  id,
  title: page || url,
  at: Number(at),
})

const toResource = (row: TimelineRow): HarResource => ({
  view: row.view_id,
  at: Number(row.at),
  type: row.res_type,
  method: row.res_method,
  url: row.target,
  status: row.res_status,
  duration: row.duration,
  size: row.res_size,
})
