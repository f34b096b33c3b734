import { type Fault, problem } from '@telltale/core/errors'
import { parseUrl } from '@telltale/core/parse-url'
import { refuseLiteral } from '../../platform/http/reach.ts'
import type { ChannelRow } from './queries.ts'

interface Target {
  kind: ChannelRow['kind']
  url: string | null
  addresses: readonly string[]
}

export interface Reachable {
  /** Private networks that the installation allows. */
  networks: readonly string[]
  mail: boolean
}

/** Throws `invalid-request` for a channel that can never be reached. */
export function checkTarget({ kind, url, addresses }: Target, { networks, mail }: Reachable): void {
  const errors: Fault[] = []
  const refuse = (pointer: string, message: string) => errors.push({ pointer, message })
  if (kind === 'email') {
    if (url !== null) refuse('/url', 'is for webhooks only')
    if (addresses.length === 0) refuse('/addresses', 'is required: the recipients')
    if (!mail) refuse('/kind', 'needs a mail server (TELLTALE_SMTP_URL)')
  } else {
    if (addresses.length > 0) refuse('/addresses', 'is for e-mail only')
    const fault = url === null ? 'is needed' : refuseUrl(url, networks)
    if (fault !== undefined) refuse('/url', fault)
  }
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

function refuseUrl(text: string, networks: readonly string[]): string | undefined {
  const url = parseUrl(text)
  if (url === undefined) return 'is not a valid address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not contain credentials: requests are signed'
  return refuseLiteral(url.hostname, networks)
}
