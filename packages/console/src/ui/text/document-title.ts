import { useEffect } from 'react'

/** The document title, most specific part first. */
export function useDocumentTitle(...parts: (string | undefined)[]): void {
  const title = [...parts, 'Telltale'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
