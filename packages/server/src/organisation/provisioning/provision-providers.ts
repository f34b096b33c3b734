import { isDeepStrictEqual } from 'node:util'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { checkProvider } from '../sign-in-providers/check-provider.ts'
import { insertProvider } from '../sign-in-providers/create-provider.ts'
import { findProvider, lockProvider } from '../sign-in-providers/queries.ts'
import { replaceProvider } from '../sign-in-providers/update-provider.ts'
import type { ProviderDeclaration } from './declarations.ts'
import { attempt, type Provisioning } from './provisioning.ts'

/** What a new provider has unless the file says something else. */
const usual = {
  clientAuth: 'client_secret_basic',
  keyId: null,
  scopes: ['email', 'profile', 'offline_access'],
  acceptsUnverified: false,
  groupsClaim: null,
  grants: [],
  reauthenticates: true,
  enabled: true,
} as const

/** `networks`: private networks in which a provider may be. */
export async function provisionProviders(
  run: Provisioning,
  declared: readonly ProviderDeclaration[],
  networks: readonly string[],
): Promise<void> {
  for (const provider of declared) await provisionProvider(run, provider, networks)
}

async function provisionProvider(
  run: Provisioning,
  declared: ProviderDeclaration,
  networks: readonly string[],
): Promise<void> {
  const { pointer, key, settings, manage } = declared
  const found = await findProvider(run.db, key)
  const isDue = run.memory.isDue(`sign-in-provider ${key}`, { exists: found !== undefined, manage })
  if (isDue) {
    const draft = { ...usual, scopes: [...usual.scopes], grants: [], ...settings, key, managed: manage }
    const made = await attempt(run, pointer, () => insertProvider(run, { draft, networks }))
    if (made && manage) run.managed.add(made.row.id)
    return
  }
  if (found === undefined || !manage) return
  run.managed.add(found.id)
  await attempt(run, pointer, async () => {
    const before = await lockProvider(run.db, key)
    const after = { ...before, ...checkProvider({ ...before, ...settings }, networks), managed: true }
    return storeProvider(run, before, after)
  })
}

/** Writes a provider changed by the file, if there is a difference. */
export async function storeProvider(run: Provisioning, before: SignInProviderRow, after: SignInProviderRow) {
  if (isDeepStrictEqual(before, after)) return { changes: [] }
  return replaceProvider(run, { before, after, keptSessionId: undefined })
}
