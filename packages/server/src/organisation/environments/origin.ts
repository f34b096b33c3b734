import { parseUrl } from '@telltale/core/parse-url'

const anySubdomain = '*.'

/**
 * An origin in the form that browsers send: lower case, no default port, international names in ASCII. A host
 * may start with `*.` for all subdomains. Undefined for any other text.
 */
export function normaliseOrigin(text: string): string | undefined {
  const url = parseUrl(text)
  if (url === undefined) return undefined

  const { protocol, host, origin, pathname, search, hash, username, password } = url
  const isWeb = protocol === 'http:' || protocol === 'https:'
  const isBare = pathname === '/' && !search && !hash && !username && !password
  const plainHost = host.startsWith(anySubdomain) ? host.slice(anySubdomain.length) : host
  return isWeb && isBare && plainHost !== '' && !plainHost.includes('*') ? origin : undefined
}
