import { type IssueServices, noteGroups } from './note-groups.ts'
import { type FoundIssue, findIssuesOf } from './queries.ts'

/** The issues of groups of errors. New groups get an issue first. */
export async function findNotedIssues(
  services: IssueServices,
  environmentId: string,
  groups: readonly string[],
): Promise<FoundIssue[]> {
  const found = await findIssuesOf(services.db, environmentId, groups)
  const known = new Set(found.flatMap(({ groups: own }) => own))
  const fresh = groups.filter((group) => !known.has(group))
  if (fresh.length === 0) return found
  await noteGroups(services, environmentId, fresh)
  return findIssuesOf(services.db, environmentId, groups)
}
