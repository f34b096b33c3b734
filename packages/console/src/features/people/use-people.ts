import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { everyMemberQuery } from '../../api/members.ts'
import { useAccount } from '../../shell/account.ts'

export interface Person {
  readonly id: string
  readonly name: string
}

/**
 * Candidates for an owner or assignee: the members of the project and the current account, which may be an
 * owner of the installation.
 */
export function usePeople(project: string): readonly Person[] {
  const { user } = useAccount()
  const members = useQuery(everyMemberQuery(project)).data
  return useMemo(() => {
    const people = (members ?? []).filter((one) => one.user.disabledAt === null).map((one) => one.user)
    return people.some(({ id }) => id === user.id) ? people : [...people, user]
  }, [members, user])
}
