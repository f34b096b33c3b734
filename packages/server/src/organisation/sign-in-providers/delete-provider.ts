import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { signInProviders } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerChange } from './provider.ts'
import { endProviderSessions, lockProvider } from './queries.ts'
import { refuseLastWay } from './set-single-sign-on.ts'

/** Accounts and their roles stay; what was given by groups can be changed by hand from then on. */
export const deleteProvider = change(
  async ({ db }, { key, keptSessionId }: { key: string; keptSessionId: string | undefined }) => {
    const before = await lockProvider(db, key)
    if (before.managed) throw problem('managed')
    await endProviderSessions(db, before.id, keptSessionId)
    await db.delete(signInProviders).where(eq(signInProviders.id, before.id))
    await refuseLastWay(db)
    return { reply: null, changes: [providerChange('delete', { before })] }
  },
)
