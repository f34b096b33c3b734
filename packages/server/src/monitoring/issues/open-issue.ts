import { findIssueIds, type IssueServices, noteGroups } from './note-groups.ts'
import { type FoundIssue, getIssue } from './queries.ts'

/** By its id or a group of errors, which may be one that nobody has looked at. Throws `not-found`. */
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

/** 64 bits without a sign. */
const largest = 2n ** 64n - 1n
