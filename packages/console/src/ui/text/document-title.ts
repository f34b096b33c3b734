import { useEffect } from 'react'

/** What the tab and the history call this page, the most particular first. */
export function useDocumentTitle(...parts: (string | undefined)[]): void {
  const title = [...parts, 'Telltale'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
