import type { WholeTeam } from '../../../api/teams.ts'

const reasons = {
  'setup-file': 'The setup file declares this team: change it there.',
  'identity-provider':
    'Your identity provider decides the name and the members of this team (SCIM): change the group there.',
} as const

/** Why the team and its members cannot be changed here. */
export function changeRefusal({ changedBy }: Pick<WholeTeam, 'changedBy'>): string | undefined {
  return changedBy === null ? undefined : reasons[changedBy]
}
