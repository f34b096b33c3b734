// A web address in parts, as far as telemetry keeps them: without user, password, fragment and query, whose values may
// be anybody's. Of a query only the names of a campaign stay.

import { scrubText } from './scrub.ts'

const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i
const campaign = /^utm_(?:source|medium|campaign|term|content)=/

export interface Address {
  /** With its scheme; empty for an address without a host. */
  origin: string
  host: string
  path: string
  /** What is kept of it all. */
  kept: string
}

export function readAddress(text: string): Address {
  const [, scheme = '', authority = '', path = '', query = ''] = parts.exec(text) ?? []
  // Others hold their content (data:) or a file's place on somebody's disk.
  if (scheme !== '' && !isOfTheWeb(scheme)) {
    return { origin: '', host: '', path: '', kept: `${scheme.toLowerCase()}:` }
  }
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  const origin = host === '' ? '' : `${scheme === '' ? '' : `${scheme.toLowerCase()}:`}//${host}`
  const cleanPath = scrubText(host !== '' && path === '' ? '/' : path)
  const kept = query.split('&').filter((pair) => campaign.test(pair))
  return {
    origin,
    host,
    path: cleanPath,
    kept: scrubText(`${origin}${cleanPath}`) + (kept.length === 0 ? '' : `?${scrubText(kept.join('&'))}`),
  }
}

const isOfTheWeb = (scheme: string) => /^(?:https?|wss?)$/i.test(scheme)
