import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { signingSecretPrefix } from '@telltale/core/signed-user'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { signingSecrets } from '../../platform/engines/postgres/signed-user-schema.ts'
import { newSecret } from '../../platform/http/secret.ts'
import { lockEnvironment } from '../environments/queries.ts'
import { findSigningSecrets } from './queries.ts'
import { nameOfSecret, toSigningSecret } from './signed-users.ts'

/** Returns the value of the secret, only once. */
export const createSigningSecret = change(
  async ({ db, now }, { project, env }: { project: { id: string; key: string }; env: string }) => {
    const environment = await lockEnvironment(db, { projectId: project.id, key: env })
    const existing = await findSigningSecrets(db, environment.id)
    if (existing.length >= limits.signingSecrets) {
      throw problem(
        'in-use',
        `An environment has at most ${limits.signingSecrets} signing secrets. Revoke the previous one first.`,
      )
    }
    const secret = newSecret(signingSecretPrefix)
    const row = { id: newId(), environmentId: environment.id, secret, createdAt: now }
    await db.insert(signingSecrets).values(row)
    return {
      reply: { secret: toSigningSecret(row), value: secret },
      changes: [
        {
          action: 'signing-secret.create',
          // Announced as the environment, whose settings servers hold in memory.
          entity: { kind: 'environment', id: environment.id, name: environment.name },
          project,
          environment,
          after: { signingSecret: nameOfSecret(row) },
        },
      ],
    }
  },
)
