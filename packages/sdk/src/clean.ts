// Restricts outgoing data to what the wire format accepts, and URLs to what the privacy level allows.

export type Attributes = Readonly<Record<string, unknown>>
export type CleanAttributes = Record<string, string | number | boolean | null>

const longestUrl = 2_000

/** Without the fragment, unless it is a route. Query values may have been typed: only their names are kept. */
export function cleanUrl(address: string, keepsQuery: boolean): string {
  const bare = address.replace(/\/\/[^/@?]*@/, '//').replace(/#(?!!?\/).*/, '')
  const clean = keepsQuery ? bare : bare.replace(/([?&][^=&#]*)=[^&#]*/g, '$1')
  // What is written into an address by itself is no address.
  return /^(data|blob):/.test(clean) ? clean.replace(/:.*/s, ':') : clean.slice(0, longestUrl)
}

/**
 * With a scheme, a path, or a query alone (`search?q=…`). Ends at a backslash, so that it may look through JSON; and at a quote
 * or bracket, unless the address goes on behind it.
 */
const addressInText =
  /(?:\w+:\/\/|data:|\/[^\s"'<>()?#\\]*[?#]|\?[\w.-]+=)(?:[^\s"'<>)\\]|[')]+(?=[\w%&=+-]))*/g

/** Text that contains URLs: messages, stacks, script names. Line and column after a URL are kept. */
export function cleanText(text: string, keepsQuery: boolean): string {
  return text.replace(addressInText, (found) => {
    const end = found.search(/(:\d+)*$/)
    return cleanUrl(found.slice(0, end), keepsQuery) + found.slice(end)
  })
}

/** Cleans every string in it. */
export function cleanDeep<Value>(value: Value, clean: (text: string) => string): Value {
  return value && JSON.parse(clean(JSON.stringify(value)))
}

export function isRoute(fragment: string): boolean {
  return /^#!?\//.test(fragment)
}

/** Structures as text: one that the server rejects would cost the whole event. */
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
    // It is circular, or throws when read.
    return typeof value
  }
}
