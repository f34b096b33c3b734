// Addresses of the console hold what people named their things, and the keys of their users. None of it is told: an
// address becomes that of the screen or of the call.

interface Known {
  /** The origin of the console. */
  origin: string
  /** The pattern of the screen at a path. */
  screenOf: (path: string) => string | undefined
  /** The template of the call that a path was asked with. */
  callOf: (path: string) => string | undefined
}

export type WithoutNames = (address: string) => string

export function withoutNamesFor({ origin, screenOf, callOf }: Known): WithoutNames {
  return (address) => {
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
    if (url === undefined) return origin
    if (url.origin !== origin) return url.origin
    const { pathname } = url
    if (pathname.startsWith('/assets/')) return origin + pathname
    if (/^\/(api|intake|ofrep|sdk|health)\//.test(pathname)) return origin + (callOf(pathname) ?? '/api/')
    return origin + (screenOf(pathname) ?? '/')
  }
}
