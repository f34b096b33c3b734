import { type ReactNode, useId } from 'react'

type ListSectionProps = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A heading with its buttons above a table with its own border. */
export function ListSection({ title, note, actions, children }: ListSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-8">
      <header className="flex min-h-ctl flex-wrap items-center gap-8">
        <h2 id={id} className="font-strong text-14">
          {title}
        </h2>
        {note && <span className="text-12 text-text-3">{note}</span>}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-8">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
