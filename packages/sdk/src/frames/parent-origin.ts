// The origin of the page that shows this one in a frame, as far as the browser says it.

/** Undefined: it is no frame, or its parent is not among `origins`. */
export function parentOrigin(origins: readonly string[] | undefined): string | undefined {
  if (!origins || parent === window) return undefined
  // Firefox lacks the list.
  const [first = originOf(document.referrer)] = location.ancestorOrigins ?? []
  return origins.find((origin) => origin === first)
}

function originOf(address: string): string | undefined {
  try {
    return new URL(address).origin
  } catch {
    // The page asked not to be named.
    return undefined
  }
}
