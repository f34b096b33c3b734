import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Fault, problem } from '@telltale/core/errors'
import { parseUrl } from '@telltale/core/parse-url'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { isLocal, refuseLiteral } from '../../platform/http/reach.ts'

export type ProviderSettings = Pick<
  SignInProviderRow,
  | 'buttonText'
  | 'issuer'
  | 'clientId'
  | 'clientAuth'
  | 'secret'
  | 'keyId'
  | 'scopes'
  | 'domains'
  | 'acceptsUnverified'
  | 'groupsClaim'
  | 'grants'
  | 'reauthenticates'
  | 'enabled'
>

const discoveryPath = /\/\.well-known\/openid-configuration\/?$/

/** Returns the settings as they are stored. Throws `invalid-request` for settings that can never work. */
export function checkProvider(given: ProviderSettings, networks: readonly string[]): ProviderSettings {
  const errors: Fault[] = []
  const issuer = given.issuer.trim().replace(discoveryPath, '')
  const fault = refuseIssuer(issuer, networks)
  if (fault !== undefined) errors.push({ pointer: '/issuer', message: fault })
  if (given.clientAuth === 'private_key_jwt' && algorithmOf(given.secret) === undefined) {
    errors.push({
      pointer: '/secret',
      message: 'must be a private key in PEM (PKCS #8): RSA, P-256, P-384, P-521 or Ed25519',
    })
  }
  given.grants.forEach(({ project, role }, index) => {
    if ((role === 'owner') === (project === null)) return
    errors.push({
      pointer: `/grants/${index}/project`,
      message: role === 'owner' ? 'must be null: owners work in every project' : 'is required',
    })
  })
  if (given.grants.length > 0 && given.groupsClaim === null) {
    errors.push({ pointer: '/groupsClaim', message: 'is required: roles follow from groups' })
  }
  if (errors.length > 0) throw problem('invalid-request', { errors })
  return { ...given, issuer, domains: [...new Set(given.domains.map((domain) => domain.toLowerCase()))] }
}

function refuseIssuer(issuer: string, networks: readonly string[]): string | undefined {
  const url = parseUrl(issuer)
  if (url === undefined) return 'is not a valid address'
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return 'must not contain credentials, a query or a fragment'
  }
  const refusal = refuseLiteral(url.hostname, networks)
  if (refusal !== undefined) return refusal
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname))) return undefined
  return 'must begin with https://'
}

/** The algorithm with which a private key signs; undefined for any other text. */
export function algorithmOf(pem: string): string | undefined {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    return undefined
  }
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  if (key.asymmetricKeyType === 'ed25519') return 'Ed25519'
  const curves: Readonly<Record<string, string>> = {
    prime256v1: 'ES256',
    secp384r1: 'ES384',
    secp521r1: 'ES512',
  }
  return curves[key.asymmetricKeyDetails?.namedCurve ?? '']
}
