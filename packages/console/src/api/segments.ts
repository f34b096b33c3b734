import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/segments'
import { limits } from '@telltale/core/limits'
import { endpoint, request } from './client.ts'
import { ending } from './flag-configs.ts'

export type SegmentRow = ReplyOf<typeof contract.listSegments>['items'][number]
export type Segment = ReplyOf<typeof contract.updateSegment>
export type UsedSegment = ReplyOf<typeof contract.getSegment>
export type SegmentDraft = BodyOf<typeof contract.createSegment>
export type SegmentChange = BodyOf<typeof contract.updateSegment>

const listSegments = endpoint<typeof contract.listSegments>('GET', '/api/v1/projects/:project/segments')
const createCall = endpoint<typeof contract.createSegment>('POST', '/api/v1/projects/:project/segments')
const getSegment = endpoint<typeof contract.getSegment>('GET', '/api/v1/projects/:project/segments/:segment')
const updateCall = endpoint<typeof contract.updateSegment>(
  'PATCH',
  '/api/v1/projects/:project/segments/:segment',
)
const deleteCall = endpoint<typeof contract.deleteSegment>(
  'DELETE',
  '/api/v1/projects/:project/segments/:segment',
)

const segmentsKey = (project: string) => ['projects', project, 'segments']

/** Every segment of a project, by key: they are searched and chosen from here, and a project has few pages of them. */
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
    const page = await request(listSegments, {
      params: { project },
      query: { limit: limits.pageSizeMaximum, cursor },
      signal,
    })
    found.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined && found.length < limits.segmentsPerProject)
  return found
}

/** One segment, with the flags whose rules name it. */
export const segmentQuery = (project: string, segment: string) =>
  queryOptions({
    queryKey: [...segmentsKey(project), segment],
    queryFn: ({ signal }) => request(getSegment, { params: { project, segment }, signal }),
  })

export function createSegment(asked: { project: string; draft: SegmentDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = asked
  return request(createCall, { params: { project }, body: draft, idempotencyKey })
}

export function updateSegment(asked: {
  project: string
  segment: string
  change: SegmentChange
  /** What the change started from. */
  version: number
  endsEvidenceOf?: readonly string[]
}) {
  const { project, segment, change, version, endsEvidenceOf } = asked
  const body = { ...change, ...ending(endsEvidenceOf) }
  return request(updateCall, { params: { project, segment }, body, ifMatch: version })
}

export function deleteSegment(params: { project: string; segment: string }) {
  return request(deleteCall, { params })
}
