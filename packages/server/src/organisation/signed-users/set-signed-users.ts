import type { SignedUsers } from '@telltale/core/contract/signed-users'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { change } from '../../platform/engines/postgres/change.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { lockEnvironment } from '../environments/queries.ts'
import { findSigningSecrets } from './queries.ts'
import { readSignedUsers } from './signed-users.ts'

interface ModeChange {
  project: { id: string; key: string }
  env: string
  mode: Static<typeof SignedUsers>['mode']
}

export const setSignedUsers = change(async ({ db }, { project, env, mode }: ModeChange) => {
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const before = environment.signedUsers
  if (mode !== 'off' && (await findSigningSecrets(db, environment.id)).length === 0) {
    throw problem('wrong-state', 'There is no signing secret. Create one first.')
  }
  if (before !== mode) {
    await db.update(environments).set({ signedUsers: mode }).where(eq(environments.id, environment.id))
  }
  return {
    reply: await readSignedUsers(db, { ...environment, signedUsers: mode }),
    changes:
      before === mode
        ? []
        : [
            {
              action: 'environment.sign-users',
              entity: { kind: 'environment', id: environment.id, name: environment.name },
              project,
              environment,
              before: { signedUsers: before },
              after: { signedUsers: mode },
            },
          ],
  }
})
