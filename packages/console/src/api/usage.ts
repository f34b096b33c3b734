import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/usage'
import { addressOf, request } from './client.ts'

export type Usage = ReplyOf<typeof contract.getUsage> | ReplyOf<typeof contract.getInstallationUsage>
export type UsageRow = Usage['rows'][number]
export type DiskOutlook = ReplyOf<typeof contract.getDiskForecast>

interface UsageQuestion {
  /** The first day, in UTC. */
  from: string
  groupBy: string
}

/** Of a project or, without one, of every project. */
export const usageQuery = (project: string | undefined, query: UsageQuestion) =>
  queryOptions({
    queryKey: project === undefined ? ['usage', query] : ['projects', project, 'usage', query],
    queryFn: ({ signal }): Promise<Usage> =>
      project === undefined
        ? request(calls.usage.getInstallationUsage, { query, signal })
        : request(calls.usage.getUsage, { params: { project }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** For a link: the browser writes it to disk. */
export function usageExportAddress(project: string | undefined, query: UsageQuestion): string {
  return project === undefined
    ? addressOf(calls.usage.exportInstallationUsage.path, { query: { ...query } })
    : addressOf(calls.usage.exportUsage.path, { params: { project }, query: { ...query } })
}

export const diskQuery = queryOptions({
  queryKey: ['installation', 'disk'],
  queryFn: ({ signal }) => request(calls.usage.getDiskForecast, { signal }),
  staleTime: 60_000,
})
