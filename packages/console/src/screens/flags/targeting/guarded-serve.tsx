import { Link } from '@tanstack/react-router'
import { weightsAt } from '@telltale/core/evaluation/stage-weights'
import { type ReactNode, useState } from 'react'
import type { RolloutRow } from '../../../api/rollouts.ts'
import { percent, stateWords } from '../../../features/rollout/rollout-words.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { usePlanning } from '../planning.tsx'
import type { ServeDraft } from './draft.ts'
import { ServeView } from './serve-view.tsx'
import { useTargeting } from './targeting-context.ts'

type GuardedServeProps = {
  /** The id of a rule, or `fallthrough`. */
  place: string
  saved: ServeDraft
  isEdited: boolean
  /** The saved serve, read-only or editable. */
  children: ReactNode
}

/** The serve of a place. Under a guard, the stage determines it and the saved shares are locked. */
export function GuardedServe({ place, saved, isEdited, children }: GuardedServeProps) {
  const { guarded, readOnly } = useTargeting()
  const [isUnlocked, setUnlocked] = useState(false)
  const rollout = guarded.get(place)
  if (rollout === undefined) {
    return (
      <div className="grid min-w-0 gap-10">
        {children}
        {readOnly === undefined && <PlanHere place={place} isEdited={isEdited} />}
      </div>
    )
  }
  const isOpen = isUnlocked || isEdited
  return (
    <div className="grid min-w-0 gap-10">
      <div className="flex min-w-0 flex-wrap items-start gap-x-16 gap-y-8">
        <ServeView serve={servedNow(saved, rollout)} />
        <p className="flex min-w-0 flex-1 basis-[30ch] gap-6 text-pretty text-12 text-text-2">
          <Icon name="lock" className="size-16 shrink-0 text-text-3" />
          <span>
            Guarded rollout: <code>{rollout.treatment}</code> is at {percent(rollout.weight)}, stage{' '}
            {rollout.stage + 1} of {rollout.stages.length} ({stateWords[rollout.state].toLowerCase()}).{' '}
            <GuardLink rollout={rollout} />
          </span>
        </p>
      </div>
      {readOnly === undefined && !isOpen && (
        <div>
          <Button size="small" onClick={() => setUnlocked(true)}>
            Edit the saved split…
          </Button>
        </div>
      )}
      {isOpen && (
        <div className="grid min-w-0 gap-8 border-line border-t pt-10">
          <p className="text-pretty text-12 text-warn">
            Used once the rollout has ended. Changing it restarts the evidence.
          </p>
          {children}
        </div>
      )}
    </div>
  )
}

function GuardLink({ rollout }: { rollout: RolloutRow }) {
  const { place } = useTargeting()
  return (
    <Link
      to="/p/$project/rollouts/$rollout"
      params={{ project: place.project, rollout: rollout.id }}
      className="text-accent underline"
    >
      Show rollout
    </Link>
  )
}

/** The saved shares overlaid with those of the stage, as delivery serves them. */
export function servedNow(saved: ServeDraft, { control, treatment, weight }: RolloutRow): ServeDraft {
  if (!('split' in saved)) return saved
  return { ...saved, split: weightsAt(saved.split, { control, treatment, weight }) ?? saved.split }
}

function PlanHere({ place, isEdited }: { place: string; isEdited: boolean }) {
  const { plan, against } = usePlanning()
  const { variations } = useTargeting()
  if (variations.length < 2) return null
  const reason = against ?? (isEdited ? 'Save or discard your changes first.' : undefined)
  return (
    <div className="flex flex-wrap items-center gap-8 border-line border-t pt-10">
      <Button icon="rollout" size="small" disabled={reason !== undefined} onClick={() => plan(place)}>
        Guarded rollout…
      </Button>
      <span className="text-12 text-text-3">
        {reason ?? 'Rolls out in stages and rolls back automatically.'}
      </span>
    </div>
  )
}
