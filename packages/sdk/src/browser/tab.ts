// Which tab it is, through all its pages. The id is in the tab's storage only between two pages: a tab that is duplicated
// would take it along.

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
      // Where nothing can be stored, the next page counts as another tab.
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
