// Identifies the tab across its pages. The id is in session storage only between two pages: a duplicated tab would copy
// it.

import { createUuid } from './uuid.ts'

export interface Tab {
  id: string
  /** For the next page of the tab. */
  keep(): void
}

export function takeTab(name: string): Tab {
  const attempt = (run: () => string | null | undefined) => {
    try {
      return run()
    } catch {
      // Without storage, the next page counts as another tab.
      return undefined
    }
  }
  const id =
    attempt(() => {
      const kept = sessionStorage.getItem(name)
      sessionStorage.removeItem(name)
      return kept
    }) || createUuid()
  return { id, keep: () => attempt(() => void sessionStorage.setItem(name, id)) }
}
