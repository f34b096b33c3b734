import { Link } from '@tanstack/react-router'
import { useScope } from '../../../shell/scope-context.ts'
import { Time } from '../../../ui/text/time.tsx'
import { stateWords } from '../rollout-words.ts'
import { type KnownMetrics, useKnownMetrics } from '../use-known-metrics.ts'
import type { TriedPast } from './use-back-test.ts'

/** Ended rollouts of this environment: their outcome, and what this guard would have done. */
export function PastRollouts({ past }: { past: readonly TriedPast[] }) {
  const { project } = useScope()
  const known = useKnownMetrics()
  return (
    <div className="grid gap-8">
      <h3 className="font-medium">Past rollouts here</h3>
      {past.length === 0 && <p className="text-text-2">No rollout has ended in this environment yet.</p>}
      <ul className="grid gap-10">
        {past.map((one) => (
          <li key={one.rollout} className="grid gap-2 text-pretty">
            <p className="min-w-0 break-words">
              <Link
                to="/p/$project/rollouts/$rollout"
                params={{ project, rollout: one.rollout }}
                target="_blank"
                className="font-mono text-accent hover:underline"
              >
                {one.flag}
              </Link>{' '}
              <span className="text-text-2">
                {endText(one, known)}, <Time at={one.endedAt} />
              </span>
            </p>
            <Would past={one} known={known} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** `Rolled back in stage 2 for INP, by the guard`, `Passed, by Ada`. */
function endText({ state, stage, stages, metric, by }: TriedPast, { nameOf }: KnownMetrics): string {
  const where = state === 'completed' || stages < 2 ? '' : ` in stage ${stage + 1} of ${stages}`
  const what = metric === null ? '' : ` for ${nameOf(metric)}`
  return `${stateWords[state]}${where}${what}${by === null ? ', by the guard' : `, by ${by}`}`
}

const missingTexts: Record<NonNullable<TriedPast['missing']>, string> = {
  retention: 'Skipped: its data is past retention.',
  nobody: 'Skipped: one arm had no users.',
  unreadable: 'Skipped: the telemetry store did not respond.',
  time: 'Skipped: out of time.',
}

const wouldDo = { 'roll-back': 'rolled it back', hold: 'held', notify: 'notified' } as const

function Would({ past: { missing, alarms, endedAt }, known }: { past: TriedPast; known: KnownMetrics }) {
  if (missing !== null) return <p className="text-warn">{missingTexts[missing]}</p>
  if (alarms.length === 0) return <p className="text-text-2">This plan would not have intervened.</p>
  return alarms.map(({ metric, onRegression, stage, at }) => (
    <p key={metric}>
      This plan would have {wouldDo[onRegression]} in stage {stage + 1} for {known.nameOf(metric)},{' '}
      {at < endedAt ? (
        <>
          by <Time at={at} />
        </>
      ) : (
        'at its end'
      )}
      .
    </p>
  ))
}
