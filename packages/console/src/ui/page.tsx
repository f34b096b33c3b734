import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'

type PageProps = { title: string; lead: string; children?: ReactNode }

/** One column, one heading: for what happens before anyone is signed in. */
export function Page({ title, lead, children }: PageProps) {
  return (
    <main className="mx-auto grid max-w-form gap-24 px-gutter py-48">
      <header className="flex items-center gap-12 pb-4">
        <Mark />
        <b className="text-14 font-strong">Telltale</b>
      </header>
      <div className="grid gap-4">
        <h1 className="text-28 font-strong tracking-[-.012em]">{title}</h1>
        <p className="text-text-2">{lead}</p>
      </div>
      {children}
    </main>
  )
}
