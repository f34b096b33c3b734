import { findIssueIds, type IssueServices, noteGroups } from './note-groups.ts'
import { type FoundIssue, getIssue } from './queries.ts'

/** By its id or by a group of errors, which may not have an issue yet. Throws `not-found`. */
export async function openIssue(
  services: IssueServices,
  environmentId: string,
  id: string,
): Promise<FoundIssue> {
  const { db } = services
  const isGroup = /^\d+$/.test(id) && BigInt(id) <= largest
  if (isGroup && !(await findIssueIds(db, environmentId, [id])).has(id)) {
    await noteGroups(services, environmentId, [id])
  }
  return getIssue(db, { environmentId, id })
}

/** The maximum of an unsigned 64-bit number. */
const largest = 2n ** 64n - 1n
