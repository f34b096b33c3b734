import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { checkProvider, type ProviderSettings } from './check-provider.ts'
import { providerChange } from './provider.ts'

interface ProviderDraft extends ProviderSettings {
  key: string
}

export const createProvider = change(
  async ({ db, now }, { draft, networks }: { draft: ProviderDraft; networks: readonly string[] }) => {
    if ((await db.$count(signInProviders)) >= limits.signInProviders) {
      throw problem('in-use', `An installation has at most ${limits.signInProviders} sign-in providers.`)
    }
    const row: SignInProviderRow = {
      ...checkProvider(draft, networks),
      ...{ id: newId(), key: draft.key, version: 1, createdAt: now },
      ...{ testedAt: null, managed: false },
    }
    const [stored] = await db.insert(signInProviders).values(row).onConflictDoNothing().returning()
    if (stored === undefined) throw problem('already-exists', `There is a provider with the key ${row.key}.`)
    return { reply: stored, changes: [providerChange('create', { after: stored })] }
  },
)
