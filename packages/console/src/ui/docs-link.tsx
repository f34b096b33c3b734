import type { ReactNode } from 'react'

/** Opens a guide that this server hosts, in a new tab. `page` is its path below `docs/`, without `.md`. */
export function DocsLink({ page, children }: { page: string; children: ReactNode }) {
  return (
    <a href={`/docs/${page}`} target="_blank" rel="noopener" className="text-accent underline">
      {children}
    </a>
  )
}
