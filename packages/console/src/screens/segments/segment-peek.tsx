import { Link } from '@tanstack/react-router'
import type { SegmentRow } from '../../api/segments.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConditionsView } from '../../ui/conditions/condition-view.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { flagsText } from './segment-columns.tsx'

export function SegmentPeek({ segment, onClose }: { segment: SegmentRow; onClose: () => void }) {
  return (
    <Peek
      title={<code>{segment.key}</code>}
      open={
        <Link
          from="/p/$project/segments"
          to="/p/$project/segments/$segment"
          params={{ segment: segment.key }}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <div className="grid gap-4">
          <p className="break-words font-medium">{segment.name}</p>
          {segment.description && (
            <p className="text-pretty break-words text-text-2">{segment.description}</p>
          )}
          <p className="text-text-2">Used by {flagsText(segment.usedByFlags)}.</p>
        </div>
        <div className="grid gap-8">
          <h3 className="font-strong">Conditions</h3>
          <ConditionsView value={segment.when} />
        </div>
      </div>
    </Peek>
  )
}
