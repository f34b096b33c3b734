import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'
import { getTeam, lockTeam } from './queries.ts'
import { refuseManagedTeam, teamChange, toTeam } from './team.ts'

interface TeamUpdate {
  key: string
  name?: string | undefined
  description?: string | undefined
}

export const updateTeam = change(async ({ db }, { key, name, description }: TeamUpdate) => {
  const before = await lockTeam(db, key)
  await refuseManagedTeam(db, before)

  const after = { ...before, name: name ?? before.name, description: description ?? before.description }
  await db
    .update(teams)
    .set({ name: after.name, description: after.description })
    .where(eq(teams.id, before.id))
  return { reply: toTeam(await getTeam(db, key)), changes: [teamChange('update', after, before)] }
})
