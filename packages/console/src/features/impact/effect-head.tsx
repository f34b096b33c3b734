import type { ReactNode } from 'react'
import { ForestHead } from '../../charts/forest-row.tsx'
import type { ChangeScale } from '../../charts/harm-scale.ts'
import { signedShareText } from '../../ui/text/measure-text.ts'

type EffectHeadProps = {
  /** What each row is about. */
  of: string
  control: ReactNode
  treatment: ReactNode
  scale: ChangeScale
}

const head = 'border-line border-b px-8 py-8 font-medium text-11 text-text-3 whitespace-nowrap'

/** The head of a table of effects: both values, the change, the plot of its interval, and the verdict. */
export function EffectHead({ of, control, treatment, scale }: EffectHeadProps) {
  return (
    <thead className="max-wide:sr-only">
      <tr>
        <th scope="col" className={`${head} pl-14 text-left`}>
          {of}
        </th>
        <th scope="col" className={`${head} text-right`}>
          <span className="inline-flex">{control}</span>
        </th>
        <th scope="col" className={`${head} text-right`}>
          <span className="inline-flex">{treatment}</span>
        </th>
        <th scope="col" className={`${head} text-right`}>
          Change
        </th>
        <th scope="col" className={`${head} w-[27%] text-left`}>
          <span className="sr-only">Interval</span>
          <ForestHead scale={scale} format={signedShareText} />
        </th>
        <th scope="col" className={`${head} pr-14 text-left`}>
          Verdict
        </th>
      </tr>
    </thead>
  )
}
