// URLs of the console contain names chosen by users, and the keys of their users. None of it is sent: a URL is
// replaced by the pattern of its screen or the template of its call.

interface Known {
  /** The origin of the console. */
  origin: string
  /** The route pattern of a path. */
  screenOf: (path: string) => string | undefined
  /** The call template of a path. */
  callOf: (path: string) => string | undefined
}

type WithoutNames = (address: string) => string

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
