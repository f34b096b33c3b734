// Whether a web origin is on an environment's list. `https://*.shop.example` matches every subdomain, but not
// `shop.example` itself.

export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => (entry.includes('://*.') ? isSubdomain(origin, entry) : entry === origin))
}

function isSubdomain(origin: string, entry: string): boolean {
  const [scheme = '', rest = ''] = entry.split('*', 2)
  return origin.startsWith(scheme) && origin.endsWith(rest) && origin.length > scheme.length + rest.length
}
