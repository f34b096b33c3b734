import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/digests'
import { request } from './client.ts'

export type { DigestSettings } from '@telltale/core/contract/digests'
export type DigestDraft = BodyOf<typeof contract.updateDigestSettings>

export const digestSettingsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'digest'],
    queryFn: ({ signal }) => request(calls.digests.getDigestSettings, { params: { project }, signal }),
  })

/** Reads a week of telemetry: again only on request. */
export const digestPreviewQuery = (place: { project: string; env: string }) =>
  queryOptions({
    queryKey: ['projects', place.project, 'environments', place.env, 'digest'],
    queryFn: ({ signal }) => request(calls.digests.previewDigest, { params: place, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function updateDigestSettings(requested: { project: string; draft: DigestDraft; ifMatch: number }) {
  const { project, draft, ifMatch } = requested
  return request(calls.digests.updateDigestSettings, { params: { project }, body: draft, ifMatch })
}
