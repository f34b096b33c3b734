import type { Comparison } from '../../api/impact.ts'
import { VerdictMark } from '../../charts/verdict.tsx'
import { shareText } from '../../ui/text/measure-text.ts'
import { isSplitWrong } from './metric-evidence.ts'

const faults = { 'split-wrong': 'Sample ratio mismatch', 'people-missing': 'Users are missing' } as const

type SplitCheckProps = { comparison: Pick<Comparison, 'split' | 'check'> }

/** Whether the arms have the sizes that the weights say. */
export function SplitCheck({ comparison }: SplitCheckProps) {
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
