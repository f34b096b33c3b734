import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { projectTeamsQuery } from '../../api/teams.ts'
import { type Person, usePeople } from './use-people.ts'

/** An account or a team that can answer for a flag. */
export interface Owner extends Person {
  readonly isTeam: boolean
}

/** Candidates for an owner: the members of the project, and the teams with a role in it. */
export function useOwners(project: string): readonly Owner[] {
  const people = usePeople(project)
  const teams = useQuery(projectTeamsQuery(project)).data
  return useMemo(
    () => [
      ...people.map(({ id, name }) => ({ id, name, isTeam: false })),
      ...(teams?.items ?? []).map(({ team }) => ({ id: team.id, name: nameOf(team), isTeam: true })),
    ],
    [people, teams],
  )
}

/** Beside names of accounts, a team is recognized as one. */
function nameOf({ name }: { name: string }): string {
  return /\bteam\b/i.test(name) ? name : `${name} team`
}

/** The ids of all owners of a flag. */
export function ownerIdsOf(flag: { owners: readonly string[]; ownerTeams: readonly string[] }): string[] {
  return [...flag.owners, ...flag.ownerTeams]
}
