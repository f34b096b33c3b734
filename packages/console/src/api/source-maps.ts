import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/source-maps'
import { request } from './client.ts'

export type SourceMap = ReplyOf<typeof contract.listSourceMaps>['items'][number]

interface SourceMapFilter {
  q?: string | undefined
  version?: string | undefined
}

export const sourceMapsKey = (project: string) => ['projects', project, 'source-maps']

/** The maps of a project, the newest first. */
export const sourceMapsQuery = (project: string, filter: SourceMapFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...sourceMapsKey(project), filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls['source-maps'].listSourceMaps, {
        params: { project },
        query: { ...filter, cursor: pageParam, limit: 100 },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  })

interface MapUpload {
  /** Path of the script that the map belongs to. */
  file: string
  version: string | undefined
  debugId: string | undefined
  content: Blob
}

/** Gzip reduces a map to a sixth of its size. */
export async function uploadSourceMap(project: string, { content, ...query }: MapUpload): Promise<SourceMap> {
  const zipped = content.stream().pipeThrough(new CompressionStream('gzip'))
  const body = new Uint8Array(await new Response(zipped).arrayBuffer())
  return request(calls['source-maps'].uploadSourceMap, { params: { project }, query, body })
}

export function deleteSourceMap(params: { project: string; sourceMap: string }) {
  return request(calls['source-maps'].deleteSourceMap, { params })
}
