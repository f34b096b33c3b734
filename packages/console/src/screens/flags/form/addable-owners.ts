import { limits } from '@telltale/core/limits'
import type { Owner } from '../../../features/people/use-owners.ts'

export type Owners = { owners: readonly string[]; ownerTeams: readonly string[] }

/** Accounts and teams that can still be added: each kind has its own limit. */
export function addableOwners({ owners, ownerTeams }: Owners, candidates: readonly Owner[]): Owner[] {
  return candidates.filter(({ id, isTeam }) => {
    const chosen = isTeam ? ownerTeams : owners
    return chosen.length < limits.ownersPerFlag && !chosen.includes(id)
  })
}
