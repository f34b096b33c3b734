import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { checkProvider, type ProviderSettings } from './check-provider.ts'
import { providerChange } from './provider.ts'

interface ProviderDraft extends ProviderSettings {
  key: string
  managed?: boolean
}

interface NewProvider {
  draft: ProviderDraft
  networks: readonly string[]
}

export const createProvider = change(async (context, given: NewProvider) => {
  const { row, changes } = await insertProvider(context, given)
  return { reply: row, changes }
})

/** Throws `in-use`, `already-exists` and `invalid-request`. */
export async function insertProvider(
  { db, now }: ChangeContext,
  { draft: { key, managed = false, ...settings }, networks }: NewProvider,
): Promise<{ row: SignInProviderRow; changes: EntityChange[] }> {
  if ((await db.$count(signInProviders)) >= limits.signInProviders) {
    throw problem('in-use', `An installation has at most ${limits.signInProviders} sign-in providers.`)
  }
  const row: SignInProviderRow = {
    ...checkProvider(settings, networks),
    ...{ id: newId(), key, version: 1, createdAt: now, testedAt: null, managed },
  }
  const [stored] = await db.insert(signInProviders).values(row).onConflictDoNothing().returning()
  if (stored === undefined) throw problem('already-exists', `There is a provider with the key ${row.key}.`)
  return { row: stored, changes: [providerChange('create', { after: stored })] }
}
