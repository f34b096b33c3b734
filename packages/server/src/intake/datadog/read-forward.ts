// Where the client wants a request to go: named by `ddforward` when its proxy is text, or by the path itself when it is a
// function. A host in it is never asked.

export const tracks = {
  '/api/v2/rum': 'rum',
  '/api/v2/replay': 'replay',
  '/api/v2/profile': 'profile',
  '/api/v2/profiling/quota': 'quota',
} as const
export type Track = (typeof tracks)[keyof typeof tracks]

export interface Forward {
  track: Track
  parameters: URLSearchParams
}

const anywhere = 'http://forwarded.invalid'

/** Of the address of a request, and what follows our own path in it. Nothing when it is none that we know. */
export function readForward(address: string, rest: string): Forward | undefined {
  const question = address.indexOf('?')
  const outer = new URLSearchParams(question < 0 ? '' : address.slice(question + 1))
  const named = outer.get('ddforward')
  const inner = named === null ? undefined : parse(named)
  const track = trackOf(inner?.pathname ?? rest)
  return track && { track, parameters: inner?.searchParams ?? outer }
}

function parse(forward: string): URL | undefined {
  return URL.canParse(forward, anywhere) ? new URL(forward, anywhere) : undefined
}

/** A base that ends in a slash makes two of them. */
function trackOf(path: string): Track | undefined {
  const clean = `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
  return Object.entries(tracks).find(([known]) => known === clean)?.[1]
}
