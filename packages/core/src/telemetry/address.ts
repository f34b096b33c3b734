// Splits a web address into the parts that telemetry stores. User, password, fragment and query are dropped because
// they may contain personal data; only campaign parameters of the query are kept.

import { scrubText } from './scrub.ts'

const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i
const campaign = /^utm_(?:source|medium|campaign|term|content)=/

export interface Address {
  /** Includes the scheme; empty for an address without a host. */
  origin: string
  host: string
  path: string
  /** The full address without the dropped parts. */
  kept: string
}

const noAddress: Address = { origin: '', host: '', path: '', kept: '' }

export function readAddress(text: string): Address {
  // Most views have no referrer.
  if (text === '') return noAddress
  const [, scheme = '', authority = '', path = '', query = ''] = parts.exec(text) ?? []
  // Other schemes contain data (data:) or a local file path.
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
