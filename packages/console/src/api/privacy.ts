import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/privacy'
import { request } from './client.ts'

export type Erasure = ReplyOf<typeof contract.erasePerson>
export type ErasedPerson = BodyOf<typeof contract.erasePerson>

/** While the telemetry store is unavailable. */
const waitingInterval = 2_000

export const erasuresQuery = ({ project, env }: { project: string; env: string }) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'erasures'],
    queryFn: ({ signal }) =>
      request(calls.privacy.listErasures, { params: { project, env }, query: {}, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state === 'waiting') ? waitingInterval : false,
  })

export function erasePerson(requested: {
  project: string
  env: string
  person: ErasedPerson
  idempotencyKey: string
}) {
  const { project, env, person, idempotencyKey } = requested
  return request(calls.privacy.erasePerson, { params: { project, env }, body: person, idempotencyKey })
}

interface ExportRequest {
  project: string
  env: string
  person: ErasedPerson
  signal: AbortSignal
  onRows: (count: number) => void
}

const rowsOfPage = 200

/** All pages of the export, one line of JSON each: identities, overrides, then table rows. */
export async function exportPerson({
  project,
  env,
  person,
  signal,
  onRows,
}: ExportRequest): Promise<string[]> {
  const { targetingKey, anonymousId } = person
  const params = { project, env, targetingKey: targetingKey ?? anonymousId ?? '' }
  const also = targetingKey === undefined ? undefined : anonymousId
  const lines: string[] = []
  let cursor: string | undefined
  let rows = 0
  do {
    const query = { cursor, limit: rowsOfPage, anonymousId: also }
    const page = await request(calls.privacy.exportPerson, { params, query, signal })
    if (cursor === undefined) {
      lines.push(...page.identities.map((identity) => JSON.stringify({ identity })))
      lines.push(...page.overrides.map((override) => JSON.stringify({ override })))
    }
    lines.push(...page.items.map((item) => JSON.stringify(item)))
    rows += page.items.length
    onRows(rows)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return lines
}
