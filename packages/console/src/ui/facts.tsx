import type { ReactNode } from 'react'

type Fact = readonly [name: string, value: ReactNode]

type FactsProps = {
  /** `false` stands for one that does not apply. */
  facts: readonly (Fact | false)[]
  /** Use words instead of identifiers. */
  inWords?: boolean
}

/** Terms and their values, stacked. Long values wrap, long terms are truncated. */
export function Facts({ facts, inWords = false }: FactsProps) {
  return (
    <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-12 gap-y-4">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="max-w-[20ch] truncate text-text-3" title={name}>
              {name}
            </dt>
            <dd className={`break-words [&_code]:whitespace-normal ${inWords ? '' : 'font-code text-12'}`}>
              {value}
            </dd>
          </div>
        ))}
    </dl>
  )
}

type FactPartProps = { title: string; isEmpty?: boolean; children: ReactNode }

/** A heading and its content; renders nothing without content. */
export function FactPart({ title, isEmpty = false, children }: FactPartProps) {
  if (isEmpty) return null
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
      <h3 className="font-strong">{title}</h3>
      {children}
    </section>
  )
}
