import type { ReactNode } from 'react'
import type { Comparison } from '../../../api/impact.ts'
import { crossedText } from '../../../features/impact/metric-words.ts'
import { SplitCheck } from '../../../features/impact/split-check.tsx'
import { fullCountText } from '../../../ui/text/measure-text.ts'
import { CrossLinks } from './cross-links.tsx'
import { VariationName } from './variation-name.tsx'

type ComparisonHeadProps = { comparison: Comparison; control: string; isRollout: boolean }

/** The two compared variations, their numbers of users, the sample ratio check, and links to the users. */
export function ComparisonHead({ comparison, control, isRollout }: ComparisonHeadProps) {
  const { treatment, units } = comparison
  const crossed = crossedText(comparison)
  return (
    <section
      aria-label="Exposure"
      className="flex min-w-0 flex-wrap items-center gap-x-24 gap-y-8 rounded-panel border border-line bg-surface px-14 py-8"
    >
      <Part name="Comparing">
        <span className="flex min-w-0 flex-wrap items-center gap-x-6">
          <VariationName variation={treatment} />
          <span className="text-text-3">vs</span>
          <VariationName variation={control} />
        </span>
      </Part>
      <Part name={isRollout ? 'Users, this rollout' : 'Users, this period'}>
        <span>
          <b className="font-medium">{fullCountText(units.treatment)}</b>{' '}
          <span className="text-text-3">and</span>{' '}
          <b className="font-medium">{fullCountText(units.control)}</b>
          {crossed && <span className="text-text-3"> · {crossed}</span>}
        </span>
      </Part>
      <Part name="Split check">
        <SplitCheck comparison={comparison} />
      </Part>
      <span className="ml-auto flex flex-wrap gap-8 max-wide:ml-0">
        <CrossLinks variation={treatment} look="buttons" />
      </span>
    </section>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0">
      <span className="text-12 text-text-3">{name}</span>
      {children}
    </div>
  )
}
