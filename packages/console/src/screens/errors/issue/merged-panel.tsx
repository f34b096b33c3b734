import type { ShownIssue } from '../../../api/issues.ts'
import { useMayHere } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { culpritText, titleOf } from '../issue-words.ts'
import { useMerging } from '../use-merging.ts'

/** Issues that were merged into this one. */
export function MergedPanel({ issue: { id, merged } }: { issue: ShownIssue }) {
  const mayChange = useMayHere('issues.resolve')
  const { split, isBusy } = useMerging()
  if (merged.length === 0) return null
  return (
    <Panel title="Merged from" flush>
      <ul aria-label="Merged from">
        {merged.map((one) => (
          <li
            key={one.id}
            className="flex items-center gap-12 border-line border-t px-14 py-8 first:border-t-0"
          >
            <span className="grid min-w-0 grow">
              <code className="truncate">{titleOf(one)}</code>
              {one.culprit !== '' && (
                <code className="truncate text-12 text-text-3">{culpritText(one.culprit)}</code>
              )}
            </span>
            {mayChange && (
              <Button
                aria-label={`Unmerge ${titleOf(one)}`}
                disabled={isBusy}
                onClick={() => split({ into: id, issues: [one.id] })}
              >
                Unmerge
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
