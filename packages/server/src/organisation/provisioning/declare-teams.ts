import type { TeamEntry, TeamRoleEntry } from '@telltale/core/contract/setup-file'
import type { TeamDeclaration, TeamRoleDeclaration } from './declarations.ts'
import type { Reading } from './reading.ts'

export function declareTeams(reading: Reading, entries: TeamEntry[]): TeamDeclaration[] {
  return entries.flatMap((entry) => {
    const pointer = reading.locationOf(entry)
    const { key, name, description, members, manage = false } = entry
    const isFirst = reading.isFirst(`team ${key}`, `${pointer}/key`)
    const declared = members?.flatMap((email, index) => {
      const place = `${pointer}/members/${index}`
      return reading.isFirst(`team member ${key} ${email.toLowerCase()}`, place)
        ? [{ pointer: place, email }]
        : []
    })
    return isFirst ? [{ pointer, key, name, description, members: declared, manage }] : []
  })
}

export function declareTeamRole(
  reading: Reading,
  project: string,
  entry: TeamRoleEntry,
): TeamRoleDeclaration[] {
  const pointer = reading.locationOf(entry)
  const { team, role, environments, manage = false } = entry
  const isFirst = reading.isFirst(`team role ${project} ${team}`, `${pointer}/team`)
  return isFirst ? [{ pointer, team, role, environments, manage }] : []
}
