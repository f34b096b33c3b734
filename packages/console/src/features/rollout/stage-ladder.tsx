import type { RolloutRow } from '../../api/rollouts.ts'
import { Time, useNow } from '../../ui/text/time.tsx'
import { percent, spanText } from './rollout-words.ts'

type Staged = Pick<RolloutRow, 'stages' | 'stage' | 'state' | 'startedAt' | 'endedAt'>

/** Past, current and future stages. Future times are "not before". */
export function StageLadder({ rollout }: { rollout: Staged }) {
  const now = useNow()
  const { stages, stage: at, state, endedAt } = rollout
  const isStarted = rollout.startedAt !== null
  return (
    <ol className="grid">
      {stages.map((stage, index) => {
        const place = positionOf(index, { at, isStarted, isPassed: state === 'completed' })
        return (
          <li
            key={stage.weight}
            aria-current={place === 'now' && endedAt === null ? 'step' : undefined}
            className="relative grid min-h-30 grid-cols-[18px_50px_minmax(0,1fr)_auto] items-center gap-4"
          >
            {index > 0 && (
              <span
                aria-hidden="true"
                className="absolute top-[-9px] left-[5.5px] h-18 w-px bg-line-strong"
              />
            )}
            <span aria-hidden="true" className={`z-1 size-12 rounded-round border-[1.5px] ${dots[place]}`} />
            <span className={place === 'next' ? 'text-text-2' : 'font-medium'}>{percent(stage.weight)}</span>
            <span className="truncate text-12 text-text-3">
              {stage.enteredAt !== null && <Time at={stage.enteredAt} />}
              {stage.enteredAt === null && stage.needsApproval && 'needs approval'}
            </span>
            <span
              className={`text-12 ${place === 'now' && endedAt === null ? 'font-medium' : 'text-text-3'}`}
            >
              {lengthOf(stage, now)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

type Place = 'done' | 'now' | 'next'

const dots: Record<Place, string> = {
  done: 'border-ink bg-ink',
  now: 'border-accent bg-accent shadow-[inset_0_0_0_2px_var(--surface)]',
  next: 'border-control bg-surface',
}

function positionOf(
  index: number,
  { at, isStarted, isPassed }: { at: number; isStarted: boolean; isPassed: boolean },
): Place {
  if (isPassed || (isStarted && index < at)) return 'done'
  return isStarted && index === at ? 'now' : 'next'
}

type Stage = RolloutRow['stages'][number]

/** How long the stage took, or its elapsed part of the minimum, or that minimum. */
function lengthOf({ enteredAt, leftAt, minDuration }: Stage, now: number): string {
  if (enteredAt === null) return spanText(minDuration)
  if (leftAt !== null) return spanText(Date.parse(leftAt) - Date.parse(enteredAt))
  const gone = Math.min(now - Date.parse(enteredAt), minDuration)
  return `${spanText(gone).replace(unitOf(spanText(minDuration)), '')} of ${spanText(minDuration)}`
}

/** `17 of 24 h`: the unit is only written once if it is the same. */
function unitOf(span: string): string {
  return span.slice(span.indexOf('\u00a0'))
}
