import { eq } from 'drizzle-orm'
import { findProject } from '../access/find-project.ts'
import { insertEnvironment } from '../organisation/environments/create-environment.ts'
import { lockInstallation } from '../organisation/installation/queries.ts'
import { insertProject } from '../organisation/projects/create-project.ts'
import { type ChangeContext, change, type EntityChange } from '../platform/engines/postgres/change.ts'
import { installation } from '../platform/engines/postgres/schema.ts'
import { insertFlag } from '../release/flags/create-flag.ts'

/** Its author in the audit log. */
export const ownActor = { kind: 'system', id: null, name: 'Telltale' } as const

/** Several keys, because a team may already use the first ones. */
const keys = ['telltale', 'telltale-console', 'telltale-installation']

const announcement = {
  key: 'announcement',
  name: 'Announcement in the console',
  description: 'While it is on, all signed-in members see the text of its variation.',
  valueType: 'string' as const,
  variations: [
    { key: 'off', name: 'No announcement', value: '' },
    { key: 'on', name: 'Announcement', value: 'Telltale has maintenance tonight. Flags are still served.' },
  ],
  permanent: true,
  clientVisible: true,
}

/**
 * Creates the project in which the console monitors itself, once there is an owner. An owner may delete it; it
 * is not created again.
 */
export const makeOwnProject = change(async (context: ChangeContext) => {
  const row = await lockInstallation(context.db)
  const isDue = row !== undefined && row.setupCode === null && row.ownProjectMadeAt === null
  const key = isDue ? await findFreeKey(context) : undefined
  if (key === undefined) return { reply: null, changes: [] }

  const { row: project, changes } = await insertProject(context, {
    key,
    name: 'Telltale console',
    own: true,
  })
  const environment = await insertEnvironment(context, project, {
    key: 'console',
    name: 'Console',
    colour: 'grey',
  })
  const flag = await insertFlag(context, { project, draft: announcement })
  await context.db.update(installation).set({ ownProjectMadeAt: context.now }).where(eq(installation.id, 1))
  const all: EntityChange[] = [...changes, ...environment.changes, ...flag.changes]
  return { reply: null, changes: all }
})

async function findFreeKey({ db }: ChangeContext): Promise<string | undefined> {
  for (const key of keys) if ((await findProject(db, key)) === undefined) return key
  return undefined
}
