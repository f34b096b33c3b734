// What leaves the page is what the wire can carry, and no more of an address than the privacy level allows.

export type Attributes = Readonly<Record<string, unknown>>
export type CleanAttributes = Record<string, string | number | boolean | null>

const longestUrl = 2_000

/** Without the fragment, unless it is a route. Values in the query may have been typed: only their names are kept. */
export function cleanUrl(address: string, keepsQuery: boolean): string {
  const bare = address.replace(/\/\/[^/@?]*@/, '//').replace(/#(?!!?\/).*/, '')
  const clean = keepsQuery ? bare : bare.replace(/([?&][^=&#]*)=[^&#]*/g, '$1')
  // What is written into an address by itself is no address.
  return /^(data|blob):/.test(clean) ? clean.replace(/:.*/s, ':') : clean.slice(0, longestUrl)
}

export function isRoute(fragment: string): boolean {
  return /^#!?\//.test(fragment)
}

/** Structures as their text: one that the wire refuses would cost the whole event. */
export function cleanAttributes(given: Attributes | undefined): CleanAttributes | undefined {
  if (!given) return undefined
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, cleanValue(value)]))
}

function cleanValue(value: unknown): CleanAttributes[string] {
  if (value === null || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : textOf(value)
}

export function textOf(value: unknown): string {
  try {
    return (typeof value === 'object' && JSON.stringify(value)) || String(value)
  } catch {
    // It holds itself, or refuses to be read.
    return typeof value
  }
}
