import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'
import { useDocumentTitle } from './text/document-title.ts'

type PageProps = { title: string; lead?: ReactNode; narrow?: boolean; children?: ReactNode }

/** One column, one heading: for screens before sign-in. */
export function Page({ title, lead, narrow = false, children }: PageProps) {
  useDocumentTitle(title)
  return (
    <main
      className={`mx-auto grid gap-24 px-gutter py-48 ${narrow ? 'max-w-card wide:pt-[14vh]' : 'max-w-form'}`}
    >
      <header className="flex items-center gap-12 pb-4">
        <Mark />
        <b className="text-14 font-strong">Telltale</b>
      </header>
      <div className="grid gap-4">
        <h1 className="text-28 font-strong tracking-[-.012em]">{title}</h1>
        {lead && <p className="text-pretty text-text-2">{lead}</p>}
      </div>
      {children}
    </main>
  )
}
