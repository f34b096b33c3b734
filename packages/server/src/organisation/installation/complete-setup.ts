import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { beginSession } from '../../access/sessions.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { isSameSecret } from '../../platform/http/secret.ts'
import { addProject } from '../projects/create-project.ts'
import { refuseEasyPassword } from '../users/change-password.ts'
import { insertUser } from '../users/insert-user.ts'
import { hashPassword } from '../users/password.ts'
import { lockInstallation } from './queries.ts'
import { readOrigin } from './update-installation.ts'

interface SetupDraft {
  code: string
  owner: { name: string; email: string; password: string }
  project?: { key: string; name: string } | undefined
  publicUrl?: string | undefined
  userAgent: string
}

/** Creates the owner, once only, and signs them in. */
export const completeSetup = change(
  async (context, { code, owner, project, publicUrl, userAgent }: SetupDraft) => {
    const { db, now } = context
    const row = await lockInstallation(db)
    if (!row || row.setupCode === null) {
      throw problem('already-exists', 'This installation already has an owner. Sign in instead.')
    }
    if (!isSameSecret(row.setupCode, code)) {
      throw problem(
        'forbidden',
        'The setup code is wrong. The server prints it with the address when it starts.',
      )
    }
    await refuseEasyPassword(owner.password, { email: owner.email, pointer: '/owner/password' })

    const site = publicUrl === undefined ? undefined : readOrigin(publicUrl, '/publicUrl')
    const created = await insertUser(context, {
      email: owner.email,
      name: owner.name,
      passwordHash: await hashPassword(owner.password),
      role: 'owner',
    })
    const projectChanges = project ? (await addProject(context, project)).changes : []
    await closeSetup(context)
    if (site !== undefined)
      await db.update(installation).set({ publicUrl: site }).where(eq(installation.id, 1))
    const session = await beginSession(db, { userId: created.row.id, userAgent, now })

    return {
      reply: { user: { ...created.row, lastSeenAt: now }, session },
      changes: [...created.changes, ...projectChanges],
    }
  },
)

/** Invalidates the setup code. */
export async function closeSetup({ db, now }: ChangeContext): Promise<void> {
  await db.update(installation).set({ setupCode: null, setupAt: now }).where(eq(installation.id, 1))
}
