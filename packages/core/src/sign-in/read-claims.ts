// What a sign-in reads from the claims of a provider.

export type Claims = Readonly<Record<string, unknown>>

export interface KnownClaims {
  email: string | undefined
  /** Undefined if the provider does not say. */
  isVerified: boolean | undefined
  name: string | undefined
  /** Undefined if roles do not follow from groups, or if the provider did not send all of them. */
  groups: string[] | undefined
}

export function readClaims(claims: Claims, groupsClaim: string | null): KnownClaims {
  const { email, email_verified: verified } = claims
  return {
    email: textOf(email),
    // Some providers send it as text.
    isVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    name: textOf(claims.name) ?? textOf([claims.given_name, claims.family_name].filter(isText).join(' ')),
    groups: groupsClaim === null ? undefined : readGroups(claims, groupsClaim),
  }
}

/** No claim means no groups, but Microsoft Entra ID sends a reference instead of more than 200 groups. */
function readGroups(claims: Claims, name: string): string[] | undefined {
  if (isRecord(claims._claim_names) && Object.hasOwn(claims._claim_names, name)) return undefined
  const found = findClaim(claims, name)
  const given = Array.isArray(found) ? found : [found]
  return [...new Set(given.filter(isText))]
}

/** By its whole name, which may be a URL, otherwise as a path such as `realm_access.roles`. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (!isRecord(found) || !Object.hasOwn(found, part)) return undefined
    found = found[part]
  }
  return found
}

const textOf = (value: unknown) => (isText(value) ? value.trim() : undefined)
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface EmailRules {
  /** In lower case. */
  domains: readonly string[]
  acceptsUnverified: boolean
}

/** Why an account with this address cannot sign in; undefined if it can. */
export function refuseEmail(
  { email, isVerified }: Pick<KnownClaims, 'email' | 'isVerified'>,
  { domains, acceptsUnverified }: EmailRules,
): string | undefined {
  if (email === undefined) {
    return 'The provider sent no e-mail address. Allow the `email` scope and claim for this application there.'
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!email.includes('@') || !domains.includes(domain)) {
    return `Addresses of ${domain} cannot sign in with this provider. An owner can add the domain.`
  }
  if (isVerified === true || (isVerified === undefined && acceptsUnverified)) return undefined
  return `The provider has not verified the address ${email}.`
}
