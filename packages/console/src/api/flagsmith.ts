import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/flagsmith'
import { request } from './client.ts'

type Call = typeof contract.importFlagsmithEnvironment
export type FlagsmithDocument = BodyOf<Call>
export type ImportedEnvironment = ReplyOf<Call>

export function importFlagsmith(requested: {
  /** The server validates the file and reports every problem in it. */
  document: FlagsmithDocument
  project: string | undefined
  env: string | undefined
  parseJson: boolean
}): Promise<ImportedEnvironment> {
  const { document, project, env, parseJson } = requested
  const query = { project, env, ...(parseJson && { parseJson }) }
  return request(calls.flagsmith.importFlagsmithEnvironment, { query, body: document })
}
