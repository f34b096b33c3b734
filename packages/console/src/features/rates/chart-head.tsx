import type { ReactNode } from 'react'

type ChartHeadProps = { title: string; detail?: string; note: ReactNode; children: ReactNode }

/** Beside a chart of several: its name and the number of the whole period. */
export function ChartHead({ title, detail, note, children }: ChartHeadProps) {
  return (
    <div className="grid gap-2">
      <h3 className="flex items-baseline gap-6 font-medium">
        {title}
        {detail && <span className="font-regular text-11 text-text-3">{detail}</span>}
      </h3>
      <span className="font-medium text-22 tracking-[-.02em]">{children}</span>
      <span className="text-12 text-text-3">{note}</span>
    </div>
  )
}
