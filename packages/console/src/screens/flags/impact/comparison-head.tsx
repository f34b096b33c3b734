import type { ReactNode } from 'react'
import type { Comparison } from '../../../api/impact.ts'
import { VerdictMark } from '../../../charts/verdict.tsx'
import { isSplitWrong } from '../../../features/impact/metric-evidence.ts'
import { crossedText } from '../../../features/impact/metric-words.ts'
import { fullCountText, shareText } from '../../../ui/text/measure-text.ts'
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

const faults = { 'split-wrong': 'Sample ratio mismatch', 'people-missing': 'Users are missing' } as const

function SplitCheck({ comparison }: { comparison: Comparison }) {
  const { split, check } = comparison
  if (check.seen === null) return <span className="text-text-3">no users yet</span>
  const isWrong = isSplitWrong(comparison)
  return (
    <span className="flex flex-wrap items-center gap-x-8">
      <span className={`inline-flex items-center gap-6 font-medium ${isWrong ? 'text-warn' : 'text-ok'}`}>
        <svg className="size-12 shrink-0" viewBox="0 0 12 12" aria-hidden="true">
          <VerdictMark state={isWrong ? 'fouled' : 'streaming'} x={6} y={6} radius={3.4} />
        </svg>
        {split === 'as-designed' ? 'As planned' : faults[split]}
      </span>
      <span className="text-text-3">
        {isWrong ? `planned ${shareText(check.designed)}, got ` : ''}
        {shareText(check.seen)}, p {pText(check.p)}
      </span>
    </span>
  )
}

function pText(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(p < 0.01 ? 3 : 2)
}
