import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { type TeamRow, teams } from '../../platform/engines/postgres/team-schema.ts'
import { teamChange, toTeam } from './team.ts'

interface TeamDraft {
  key: string
  name: string
  description?: string | undefined
  managed?: boolean
}

export const createTeam = change(async (context, draft: TeamDraft) => {
  const { row, changes } = await insertTeam(context, draft)
  return { reply: toTeam({ team: row, members: 0, projects: 0 }), changes }
})

/** Inserts a team without members. Throws `already-exists` and `in-use`. */
export async function insertTeam(
  { db, now }: ChangeContext,
  { key, name, description = '', managed = false }: TeamDraft,
): Promise<{ row: TeamRow; changes: EntityChange[] }> {
  if ((await db.$count(teams)) >= limits.teams) {
    throw problem('in-use', `An installation has at most ${limits.teams} teams.`)
  }
  const [row] = await db
    .insert(teams)
    .values({ id: newId(), key, name, description, createdAt: now, managed })
    .onConflictDoNothing()
    .returning()
  if (row === undefined) throw problem('already-exists', `There is a team with the key ${key}.`)
  return { row, changes: [teamChange('create', row)] }
}
