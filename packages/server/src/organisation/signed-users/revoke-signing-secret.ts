import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { signingSecrets } from '../../platform/engines/postgres/signed-user-schema.ts'
import { lockEnvironment } from '../environments/queries.ts'
import { findSigningSecrets } from './queries.ts'
import { nameOfSecret, readSignedUsers } from './signed-users.ts'

interface Revocation {
  project: { id: string; key: string }
  env: string
  id: string
}

export const revokeSigningSecret = change(async ({ db }, { project, env, id }: Revocation) => {
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const existing = await findSigningSecrets(db, environment.id)
  const found = existing.find((one) => one.id === id)
  if (found === undefined) throw problem('not-found')
  if (existing.length === 1 && environment.signedUsers !== 'off') {
    throw problem(
      'wrong-state',
      'It is the only secret of an environment that checks signatures. Create another one, or switch signed users off.',
    )
  }
  await db.delete(signingSecrets).where(eq(signingSecrets.id, id))
  return {
    reply: await readSignedUsers(db, environment),
    changes: [
      {
        action: 'signing-secret.revoke',
        entity: { kind: 'environment', id: environment.id, name: environment.name },
        project,
        environment,
        before: { signingSecret: nameOfSecret(found) },
      },
    ],
  }
})
