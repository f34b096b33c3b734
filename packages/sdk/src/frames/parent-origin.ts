// The origin of the page that shows this one in a frame, as far as the browser says it.

import { originOf } from '../browser/origin-of.ts'

/** Undefined: it is no frame, or its parent is not among `origins`. */
export function parentOrigin(origins: readonly string[] | undefined): string | undefined {
  if (!origins || parent === window) return undefined
  // Firefox lacks the list; a page may ask not to be named.
  const [first = originOf(document.referrer)] = location.ancestorOrigins ?? []
  return origins.find((origin) => origin === first)
}
