import type { IssueRow } from '../../api/issues.ts'
import { useMayHere } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDeciding } from './use-deciding.ts'
import { useMerging } from './use-merging.ts'

/** Actions for the selected rows. Sticky while the rows scroll. */
export function SelectionBar({ issues, onClear }: { issues: readonly IssueRow[]; onClear: () => void }) {
  const deciding = useDeciding(onClear)
  const merging = useMerging(onClear)
  const mayMerge = useMayHere('issues.resolve')
  const count = issues.length
  // The issue with the most users names the merged one.
  const [into, ...others] = issues.toSorted(
    (left, right) => right.users - left.users || left.firstSeenAt.localeCompare(right.firstSeenAt),
  )
  const merge =
    mayMerge && into !== undefined && others.length > 0
      ? () => merging.merge({ into: into.id, issues: others.map(({ id }) => id) })
      : undefined
  useShortcut(merge ? { keys: 'm', label: 'Merge the selected errors', run: merge } : undefined)
  useShortcut(count > 0 ? { keys: 'Escape', label: 'Clear selection', run: onClear } : undefined)
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
        {merge && (
          <Button onClick={merge} disabled={merging.isBusy}>
            Merge
          </Button>
        )}
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
    </section>
  )
}
