import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/intake'
import { request } from './client.ts'

type FirstEvent = ReplyOf<typeof contract.listEvents>['items'][number] | null

const pollInterval = 3_000

/**
 * The newest view, else the newest event, of an environment; null until there is one. Polls every few seconds
 * until then.
 */
export const firstEventQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'first-event'],
    queryFn: async ({ signal }): Promise<FirstEvent> => {
      const ask = (kind?: 'view') =>
        request(calls.intake.listEvents, { params: { project, env }, query: { limit: 1, kind }, signal })
      // A view is recognisable by its page. Servers send no views.
      const views = await ask('view')
      const { items } = views.items.length > 0 ? views : await ask()
      return items[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data ? false : pollInterval),
    // Polled anyway.
    retry: false,
  })
