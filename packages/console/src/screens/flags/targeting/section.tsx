import { type ReactNode, useId } from 'react'

type SectionProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A section of the tab with its heading, in the order of evaluation. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-8">
      <header className="flex min-w-0 flex-wrap items-center gap-8">
        <h2 id={id} className="font-strong text-text-2">
          {title}
        </h2>
        {note && <span className="wrap-anywhere min-w-0 text-12 text-text-3">{note}</span>}
        {actions && <span className="ml-auto flex items-center gap-8">{actions}</span>}
      </header>
      {children}
    </section>
  )
}
