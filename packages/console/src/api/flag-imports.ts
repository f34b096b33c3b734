import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/flag-imports'
import { request } from './client.ts'

type Call = typeof contract.importFlags
export type FlagImport = BodyOf<Call>
export type ImportedFlags = ReplyOf<Call>

export function importFlags({
  project,
  env,
  body,
}: {
  project: string
  env: string
  body: FlagImport
}): Promise<ImportedFlags> {
  return request(calls['flag-imports'].importFlags, { params: { project, env }, body })
}
