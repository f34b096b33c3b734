import { limits } from '@telltale/core/limits'
import type { Question } from '../../api/question.ts'
import { Select } from '../../ui/form/select.tsx'
import { SplitPicker } from './split-picker.tsx'
import { WindowPicker } from './window-picker.tsx'

interface Counting<Unit> {
  unit?: Unit | undefined
  /** Milliseconds. */
  window?: number | undefined
  by?: string | undefined
}

type FunnelCountingProps = {
  value: Counting<'user' | 'session'>
  question: Question
  /** Only what changes; what is usual is undefined. */
  onChange: (change: Counting<'session'>) => void
}

/** What a funnel counts, users or sessions, within which time, and by what it is split. */
export function FunnelCounting({ value, question, onChange }: FunnelCountingProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-6 text-text-2">
      <span>Count</span>
      <Select
        label="Count"
        hideLabel
        options={[
          { value: 'user', label: 'users' },
          { value: 'session', label: 'sessions' },
        ]}
        value={value.unit ?? 'user'}
        onValue={(unit) => onChange({ unit: unit === 'session' ? unit : undefined })}
      />
      <span>within</span>
      <WindowPicker
        label="Window"
        value={value.window ?? limits.funnelWindow}
        most={limits.funnelWindowMaximum}
        onValue={(window) => onChange({ window: window === limits.funnelWindow ? undefined : window })}
      />
      <span>split by</span>
      <SplitPicker by={value.by} onBy={(by) => onChange({ by })} question={question} />
    </div>
  )
}
