import type { Attribution } from '@telltale/core/contract/attributions'
import { calls } from '@telltale/core/contract/calls'
import { addressOf } from './client.ts'

export type { Attribution }

/** The address of an export, for a link: the browser writes it to disk as it arrives. */
export function affectedUsersAddress(
  params: { project: string; env: string; issue: string },
  { flag, variation }: Pick<Attribution, 'flag' | 'variation'>,
): string {
  return addressOf(calls.attributions.exportAffectedUsers.path, { params, query: { flag, variation } })
}
