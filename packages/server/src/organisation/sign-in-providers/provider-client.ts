// The client of one provider: its metadata, and how this server proves itself there.

import { createPrivateKey } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { importPKCS8 } from 'jose'
import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { createGuardedFetch } from '../../platform/http/guarded-fetch.ts'
import { algorithmOf } from './check-provider.ts'

const providersRemembered = 100

/** Also joins concurrent questions to the same provider. Failures are not kept. */
const metadata = new LRUCache<string, Promise<oidc.ServerMetadata>>({
  max: providersRemembered,
  ttl: limits.providerMetadataAge,
})

/**
 * Throws what the provider answered, or that it did not. Every call begins with the current signing keys: they are not kept,
 * so that a provider can replace them at any time.
 */
export async function openProvider(
  row: SignInProviderRow,
  networks: readonly string[],
): Promise<oidc.Configuration> {
  const server = await findMetadata(row, networks)
  const config = new oidc.Configuration({ ...server }, row.clientId, clientOf(), await authOf(row))
  config.timeout = limits.providerTimeout / 1_000
  config[oidc.customFetch] = createGuardedFetch(networks)
  // Also checks signatures that came over TLS: a proxy may have seen them.
  oidc.enableNonRepudiationChecks(config)
  if (isPlain(row)) oidc.allowInsecureRequests(config)
  return config
}

function findMetadata(row: SignInProviderRow, networks: readonly string[]): Promise<oidc.ServerMetadata> {
  const key = `${row.id} ${row.version}`
  const known = metadata.get(key)
  if (known !== undefined) return known
  const asked = askMetadata(row, networks)
  metadata.set(key, asked)
  asked.catch(() => {
    if (metadata.peek(key) === asked) metadata.delete(key)
  })
  return asked
}

async function askMetadata(
  row: SignInProviderRow,
  networks: readonly string[],
): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(new URL(row.issuer), row.clientId, clientOf(), oidc.None(), {
    timeout: limits.providerTimeout / 1_000,
    [oidc.customFetch]: createGuardedFetch(networks),
    ...(isPlain(row) && { execute: [oidc.allowInsecureRequests] }),
  })
  return config.serverMetadata()
}

const isPlain = ({ issuer }: SignInProviderRow) => issuer.startsWith('http:')

const clientOf = () => ({ [oidc.clockTolerance]: limits.providerClockTolerance / 1_000 })

async function authOf({ clientAuth, secret, keyId }: SignInProviderRow): Promise<oidc.ClientAuth> {
  if (clientAuth === 'client_secret_basic') return oidc.ClientSecretBasic(secret)
  if (clientAuth === 'client_secret_post') return oidc.ClientSecretPost(secret)
  const key = await importKey(secret)
  return oidc.PrivateKeyJwt(keyId === null ? key : { key, kid: keyId })
}

/** The algorithm is known: the key was checked when it was stored. */
function importKey(pem: string): Promise<oidc.CryptoKey> {
  const pkcs8 = createPrivateKey(pem).export({ format: 'pem', type: 'pkcs8' }).toString()
  return importPKCS8(pkcs8, algorithmOf(pem) ?? '')
}
