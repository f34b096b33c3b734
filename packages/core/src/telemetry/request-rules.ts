// Rules of an environment by which replays record details of requests: which hosts and paths, and of those which
// headers and which fields of the bodies. Shared by the server, the form in the console and the browser client.

import { isSecretHeader, isSecretName } from './secrets.ts'

export interface RequestRule {
  /** `api.shop.example`, with the port unless it is the default; `*.shop.example` for subdomains; `*` for any. */
  host: string
  /** `*` matches any characters. */
  path: string
  headers: readonly string[]
  /** Members of JSON bodies and fields of forms: `items.name`; `*` for the whole body. */
  fields: readonly string[]
}

const hostPattern =
  /^(?:\*|(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?|\[[\da-f:.]+\](?::\d{1,5})?)$/i

/** Undefined: no fault. Otherwise the message of a fault; also of the following ones. */
export function hostFault(host: string): string | undefined {
  if (host === '') return 'must not be empty'
  return hostPattern.test(host) ? undefined : 'must be a host, such as api.shop.example or *.shop.example'
}

export function pathFault(path: string): string | undefined {
  if (!path.startsWith('/') && path !== '*') return 'must start with /'
  return /[\s?#]/.test(path) ? 'must not contain spaces, ? or #' : undefined
}

export function headerFault(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'is not the name of a header'
  if (name.includes('*')) return 'must not contain *'
  return isSecretHeader(name) ? 'is never recorded' : undefined
}

export function fieldFault(path: string): string | undefined {
  if (path === '*') return undefined
  const names = path.split('.')
  if (names.some((name) => name === '' || /[\s*]/.test(name))) return 'must be names separated by dots, or *'
  return names.some((name) => isSecretName(name)) ? 'is never recorded' : undefined
}

/** The headers and fields that the rules allow of a request to this address. Undefined: none of them matches. */
export function allowedOf(
  rules: readonly RequestRule[],
  { host, hostname, pathname }: Pick<URL, 'host' | 'hostname' | 'pathname'>,
): Pick<RequestRule, 'headers' | 'fields'> | undefined {
  const matching = rules.filter(
    (rule) =>
      (isHost(rule.host.toLowerCase(), host) || isHost(rule.host.toLowerCase(), hostname)) &&
      isLike(rule.path, pathname),
  )
  if (matching.length === 0) return undefined
  return {
    headers: matching.flatMap(({ headers }) => headers.map((name) => name.toLowerCase())),
    fields: matching.flatMap(({ fields }) => fields),
  }
}

function isHost(pattern: string, host: string): boolean {
  if (pattern === '*' || pattern === host) return true
  return pattern.startsWith('*.') && host.endsWith(pattern.slice(1))
}

/** Compares the parts between the stars one after the other: in linear time, whatever the pattern. */
function isLike(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > text.length - last.length) return false
    at = found + part.length
  }
  return true
}
