import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/segments'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import { ending } from './flag-configs.ts'

export type SegmentRow = ReplyOf<typeof contract.listSegments>['items'][number]
export type Segment = ReplyOf<typeof contract.updateSegment>
export type UsedSegment = ReplyOf<typeof contract.getSegment>
export type SegmentDraft = BodyOf<typeof contract.createSegment>
export type SegmentChange = BodyOf<typeof contract.updateSegment>

const segmentsKey = (project: string) => ['projects', project, 'segments']

/**
 * Every segment of a project, by key. Search and selection run in the browser, and a project has few pages of
 * segments.
 */
export const segmentsQuery = (project: string) =>
  queryOptions({
    queryKey: segmentsKey(project),
    queryFn: ({ signal }) => readEvery(project, signal),
    staleTime: 30_000,
  })

async function readEvery(project: string, signal: AbortSignal): Promise<SegmentRow[]> {
  const found: SegmentRow[] = []
  let cursor: string | undefined
  do {
    const page = await request(calls.segments.listSegments, {
      params: { project },
      query: { limit: limits.pageSizeMaximum, cursor },
      signal,
    })
    found.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined && found.length < limits.segmentsPerProject)
  return found
}

/** One segment, with the flags whose rules use it. */
export const segmentQuery = (project: string, segment: string) =>
  queryOptions({
    queryKey: [...segmentsKey(project), segment],
    queryFn: ({ signal }) => request(calls.segments.getSegment, { params: { project, segment }, signal }),
  })

export function createSegment(requested: { project: string; draft: SegmentDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.segments.createSegment, { params: { project }, body: draft, idempotencyKey })
}

export function updateSegment(requested: {
  project: string
  segment: string
  change: SegmentChange
  /** The version the change is based on. */
  version: number
  endsEvidenceOf?: readonly string[]
}) {
  const { project, segment, change, version, endsEvidenceOf } = requested
  const body = { ...change, ...ending(endsEvidenceOf) }
  return request(calls.segments.updateSegment, { params: { project, segment }, body, ifMatch: version })
}

export function deleteSegment(params: { project: string; segment: string }) {
  return request(calls.segments.deleteSegment, { params })
}
