import type { ReactNode } from 'react'

/** Opens a document that this server hands out, in a tab of its own. `page` is its path below `docs/`, without `.md`. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return (
    <a href={`/docs/${page}`} target="_blank" rel="noopener" className="text-accent underline">
      {children}
    </a>
  )
}
