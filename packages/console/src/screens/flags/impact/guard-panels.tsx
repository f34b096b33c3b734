import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type RolloutDetail, rolloutQuery } from '../../../api/rollouts.ts'
import type { GuardedTelltale, UnguardedTelltale } from '../../../api/telltales.ts'
import { Telltale } from '../../../charts/telltale.tsx'
import { Verdict } from '../../../charts/verdict.tsx'
import { DecisionLog } from '../../../features/rollout/decision-log.tsx'
import { RolloutActions } from '../../../features/rollout/rollout-actions.tsx'
import { RolloutState } from '../../../features/rollout/rollout-state.tsx'
import { holdText, promiseText } from '../../../features/rollout/rollout-words.ts'
import { StageLadder } from '../../../features/rollout/stage-ladder.tsx'
import { WatchedList } from '../../../features/rollout/watched-list.tsx'
import {
  evidenceOfTelltale,
  harmText,
  isOldTelltale,
  lastWordOf,
  stateOfTelltale,
  telltaleText,
  unguardedNote,
} from '../../../features/telltale/telltale-words.ts'
import { UnguardedTag } from '../../../features/telltale/unguarded-tag.tsx'
import { useGuard, useTelltale } from '../../../features/telltale/use-telltale.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { useNow } from '../../../ui/text/time.tsx'
import { useFlag } from '../flag-context.ts'
import { usePlanning } from '../planning.tsx'

/** The current or last guard of the flag. */
export function GuardPanels() {
  const { key } = useFlag()
  const guard = useGuard(key)
  const telltale = useTelltale(key)
  if (guard !== undefined) return <GuardOf telltale={guard} />
  return telltale?.kind === 'unguarded' ? <Unguarded telltale={telltale} /> : <NoGuard />
}

function GuardOf({ telltale }: { telltale: GuardedTelltale }) {
  const { project } = useScope()
  const rollout = useQuery(rolloutQuery({ project, rollout: telltale.rollout }))
  return (
    <Async of={rollout}>
      {(found) => (
        <>
          <GuardPanel rollout={found} telltale={telltale} />
          <Panel title="Stages">
            <StageLadder rollout={found} />
          </Panel>
          <Panel title="Watched">
            <WatchedList rollout={found} />
          </Panel>
          <Panel
            title="Guard log"
            flush
            actions={
              <Link
                to="/p/$project/rollouts/$rollout"
                params={{ project, rollout: found.id }}
                className="text-12 text-accent hover:underline"
              >
                Full log
              </Link>
            }
          >
            <DecisionLog rollout={found} shown={shownAtMost} />
          </Panel>
        </>
      )}
    </Async>
  )
}

const shownAtMost = 6

function GuardPanel({ rollout, telltale }: { rollout: RolloutDetail; telltale: GuardedTelltale }) {
  const now = useNow()
  const text = telltaleText(telltale)
  const hold = holdText(rollout)
  const isOver = rollout.endedAt !== null
  return (
    <Panel title="Guarded rollout" actions={<RolloutState state={rollout.state} />}>
      <div className="grid gap-10">
        <Telltale
          evidence={evidenceOfTelltale(telltale)}
          text={text ?? ''}
          size="lg"
          moving={!isOver}
          isOld={isOldTelltale(telltale, now)}
        />
        <p className="flex flex-wrap items-baseline gap-x-8">
          <Verdict state={stateOfTelltale(telltale)} word={lastWordOf(telltale)} />
          {text && <span className="text-text-2">{text}</span>}
        </p>
        {hold && <p className="text-pretty text-text-2">{hold}</p>}
        {!isOver && <p className="text-pretty text-text-2">{promiseText(rollout.metrics)}</p>}
        <RolloutActions rollout={rollout} />
        {isOver && <PlanButton>Start another rollout</PlanButton>}
      </div>
    </Panel>
  )
}

/** A split whose verdict no guard acts on. */
function Unguarded({ telltale }: { telltale: UnguardedTelltale }) {
  const text = telltaleText(telltale)
  const harm = harmText(telltale)
  return (
    <Panel title="Guarded rollout" note="none">
      <div className="grid gap-10">
        <Telltale evidence={evidenceOfTelltale(telltale)} text={text ?? ''} size="lg" />
        <p className="flex flex-wrap items-baseline gap-x-8">
          <Verdict state={stateOfTelltale(telltale)} />
          <UnguardedTag telltale={telltale} />
          {text && <span className="text-text-2">{text}</span>}
        </p>
        {harm && <p className="text-pretty">{harm}</p>}
        <p className="text-pretty text-text-2">{unguardedNote}</p>
        <PlanButton place={telltale.place}>Protect with a guard</PlanButton>
      </div>
    </Panel>
  )
}

function NoGuard() {
  return (
    <Panel title="Guarded rollout" note="none">
      <p className="text-pretty text-text-2">
        No automatic rollback. A guarded rollout releases a variation in stages and rolls back automatically
        if it exceeds the limits you set.
      </p>
      <div className="pt-10">
        <PlanButton>Start a guarded rollout</PlanButton>
      </div>
    </Panel>
  )
}

function PlanButton({ place, children }: { place?: string; children: ReactNode }) {
  const { plan, against } = usePlanning()
  return (
    <div className="grid gap-6 print:hidden">
      <div>
        <Button icon="rollout" disabled={against !== undefined} onClick={() => plan(place)}>
          {children}
        </Button>
      </div>
      {against !== undefined && <p className="text-pretty text-12 text-text-3">{against}</p>}
    </div>
  )
}
