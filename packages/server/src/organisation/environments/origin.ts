const anySubdomain = '*.'

/**
 * An origin as browsers send it: small letters, no usual port, international names in ASCII. A host may begin with
 * `*.` for every subdomain. Undefined when the text is something else.
 */
export function normaliseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined

  const { protocol, host, origin, pathname, search, hash, username, password } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  const isBare = pathname === '/' && !search && !hash && !username && !password
  const plainHost = host.startsWith(anySubdomain) ? host.slice(anySubdomain.length) : host
  return isWeb && isBare && plainHost !== '' && !plainHost.includes('*') ? origin : undefined
}
