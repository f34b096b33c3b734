import type { SignInProvider } from '@telltale/core/contract/sign-in-providers'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'

/** The page of the console to which a provider returns. Each provider has its own, which defeats mix-up attacks. */
export const redirectUriOf = (origin: string, key: string) => `${origin}/sign-in/callback/${key}`

export const logoutPath = '/api/v1/sign-in/providers/:provider/logout'

/** A provider as the API returns it. `origin`: of the installation. */
export function toProvider(
  row: SignInProviderRow,
  { origin, accounts }: { origin: string; accounts: number },
): SignInProvider {
  const { secret: _, ...shown } = row
  return {
    ...shown,
    redirectUri: redirectUriOf(origin, row.key),
    signedOutUri: `${origin}/sign-in`,
    logoutUri: `${origin}${logoutPath.replace(':provider', row.key)}`,
    testedAt: row.testedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    accounts,
  }
}

/** The audit entry. A new secret is noted, never shown. */
export function providerChange(
  verb: 'create' | 'update' | 'delete',
  { before, after }: { before?: SignInProviderRow; after?: SignInProviderRow },
): EntityChange {
  const row = after ?? before
  const isNewSecret = before !== undefined && after !== undefined && before.secret !== after.secret
  return {
    action: `sign-in-provider.${verb}`,
    entity: { kind: 'sign-in-provider', id: row?.id ?? '', name: row?.key ?? '' },
    ...(before && { before: audited(before) }),
    ...(after && { after: { ...audited(after), ...(isNewSecret && { secret: 'replaced' }) } }),
  }
}

function audited(row: SignInProviderRow): object {
  const { id: _id, secret: _secret, testedAt: _tested, createdAt: _created, version: _version, ...rest } = row
  return rest
}
