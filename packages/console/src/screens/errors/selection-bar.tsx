import type { IssueRow } from '../../api/issues.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDeciding } from './use-deciding.ts'

/** What can be done with the rows that are selected. Stays in sight while they scroll. */
export function SelectionBar({ issues, onClear }: { issues: readonly IssueRow[]; onClear: () => void }) {
  const deciding = useDeciding(onClear)
  const count = issues.length
  useShortcut(count > 0 ? { keys: 'Escape', label: 'Select nothing', run: onClear } : undefined)
  if (count === 0) return null

  return (
    <section
      aria-label="Selected errors"
      className="sticky bottom-16 z-20 grid gap-8 justify-self-center rounded-panel border border-line-strong bg-surface p-8 shadow-dialog max-wide:bottom-[72px]"
    >
      {deciding.problem && <Notice title={deciding.problem.title} detail={deciding.problem.detail} />}
      <div className="flex flex-wrap items-center gap-8">
        <span role="status" className="px-6 font-medium">
          {count === 1 ? '1 selected' : `${count} selected`}
        </span>
        <DecisionButtons issues={issues} deciding={deciding} />
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
    </section>
  )
}
