import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/flags'
import { request } from './client.ts'

const pollInterval = 3_000

interface FirstEvaluation {
  hasFlags: boolean
  /** The most recently evaluated flag of the first page, in this environment. */
  evaluated: { flag: string; at: string } | undefined
}

/** Whether any client evaluates flags in an environment yet. Polls every few seconds until one does. */
export const firstEvaluationQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'first-evaluation'],
    queryFn: async ({ signal }) =>
      toFirstEvaluation(await request(calls.flags.listFlags, { params: { project }, signal }), env),
    refetchInterval: ({ state }) => (state.data?.evaluated ? false : pollInterval),
  })

function toFirstEvaluation({ items }: ReplyOf<typeof contract.listFlags>, env: string): FirstEvaluation {
  const evaluations = items.flatMap(({ key, environments }) => {
    const at = environments.find((one) => one.env === env)?.lastEvaluatedAt
    return at ? [{ flag: key, at }] : []
  })
  const [evaluated] = evaluations.sort((a, b) => b.at.localeCompare(a.at))
  return { hasFlags: items.length > 0, evaluated }
}
