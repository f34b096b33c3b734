// The intended destination of a client's request: in `ddforward` when its proxy option is a string, or in the path
// itself when it is a function. The server never contacts a host named there.

import { parseUrl } from '@telltale/core/parse-url'

const tracks = {
  '/api/v2/rum': 'rum',
  '/api/v2/replay': 'replay',
  '/api/v2/profile': 'profile',
  '/api/v2/profiling/quota': 'quota',
} as const
type Track = (typeof tracks)[keyof typeof tracks]

export interface Forward {
  track: Track
  parameters: URLSearchParams
}

const anywhere = 'http://forwarded.invalid'

/** The forwarded address of a request, and the rest of our own path. Undefined when it is unknown. */
export function readForward(address: string, rest: string): Forward | undefined {
  const question = address.indexOf('?')
  const outer = new URLSearchParams(question < 0 ? '' : address.slice(question + 1))
  const named = outer.get('ddforward')
  const inner = named === null ? undefined : parseUrl(named, anywhere)
  const track = trackOf(inner?.pathname ?? rest)
  return track && { track, parameters: inner?.searchParams ?? outer }
}

/** A base that ends in a slash produces two of them. */
function trackOf(path: string): Track | undefined {
  const clean = `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
  return Object.entries(tracks).find(([known]) => known === clean)?.[1]
}
