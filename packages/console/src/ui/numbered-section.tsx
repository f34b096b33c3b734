import { type ReactNode, useId } from 'react'

type NumberedSectionProps = { number: number; title: string; note?: string; children: ReactNode }

export function NumberedSection({ number, title, note, children }: NumberedSectionProps) {
  const id = useId()

  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-12 gap-y-16 border-line border-t py-16"
    >
      <span
        aria-hidden="true"
        className="grid size-24 place-items-center rounded-round border border-accent font-strong text-12 text-accent"
      >
        {number}
      </span>
      <div className="flex items-baseline justify-between gap-12 pt-2">
        <h2 id={id} className="font-strong text-14">
          {title}
        </h2>
        {note && <span className="text-12 text-text-3">{note}</span>}
      </div>
      <div className="col-start-1 col-end-3 grid gap-16 wide:col-start-2">{children}</div>
    </section>
  )
}
