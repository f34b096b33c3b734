import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { countOf, fullCountText, shareText } from '../../../ui/text/measure-text.ts'
import { spanText } from '../rollout-words.ts'
import { useKnownMetrics } from '../use-known-metrics.ts'
import { PastRollouts } from './past-rollouts.tsx'
import { type TriedPlan, TriedStages } from './tried-stages.tsx'
import type { BackTesting, BackTestState } from './use-back-test.ts'

type BackTestViewProps = {
  testing: BackTesting
  /** The back-tested plan: its stages, metrics and decisions. */
  plan: TriedPlan
}

/**
 * How often the guard would roll back a harmless change, what harm it detects, and how it would have decided
 * past rollouts.
 */
export function BackTestView({ testing: { state, start, stop, isOld }, plan }: BackTestViewProps) {
  const isRunning = state.phase === 'running'
  return (
    <div className="grid min-w-0 gap-10">
      {state.phase === 'idle' && (
        <p className="text-pretty text-text-2">
          Simulates A/A tests on the last 30 days of users. Nothing changed for them, so every rollback is a
          false alarm. Then replays the plan on rollouts that have ended here.
        </p>
      )}
      {isRunning && (
        <ProgressBar
          label="Simulated rollouts"
          done={state.rate?.runs ?? 0}
          of={state.site?.runs ?? 1}
          text={progressText(state)}
        />
      )}
      {isOld && <p className="text-pretty text-warn">The plan has changed since this back-test.</p>}
      <Result state={state} plan={plan} />
      {state.problem && (
        <Notice
          title={state.problem.title}
          detail={state.problem.detail}
          requestId={state.problem.requestId}
        />
      )}
      <div className="print:hidden">
        {isRunning ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button onClick={start}>{state.phase === 'idle' ? 'Run back-test' : 'Run again'}</Button>
        )}
      </div>
    </div>
  )
}

function progressText({ site, rate, past }: BackTestState): string {
  if (past.length > 0) return 'Replaying past rollouts …'
  if (site === undefined) return 'Reading telemetry …'
  return `${rate?.runs ?? 0} of ${site.runs} runs …`
}

const reasons: Partial<Record<NonNullable<BackTestState['why']>, string>> = {
  nobody: 'No users in the last 30 days to test on.',
  'no-comparison': 'The plan has no stage with a control group, so nothing can be compared.',
  'engine-unavailable': 'The telemetry store is unavailable. Try again later.',
  'query-too-large': 'The last 30 days have too much data for one query.',
}

function Result({ state, plan }: { state: BackTestState; plan: TriedPlan }) {
  const reason = state.why === undefined ? undefined : reasons[state.why]
  return (
    <>
      {reason === undefined ? (
        <Rate state={state} alpha={plan.alpha} />
      ) : (
        <p role="status" className="text-pretty">
          {reason}
        </p>
      )}
      {state.stages.length > 0 && <TriedStages stages={state.stages} plan={plan} />}
      {(state.past.length > 0 || isWholePast(state)) && <PastRollouts past={state.past} />}
    </>
  )
}

/** The search is complete and this is everything. */
function isWholePast({ phase, why }: BackTestState): boolean {
  return phase === 'done' && why !== undefined && why !== 'engine-unavailable'
}

function Rate({ state, alpha }: { state: BackTestState; alpha: number }) {
  const known = useKnownMetrics()
  const { rate, site, why, phase } = state
  if (phase === 'stopped' && rate === undefined) return <p role="status">Stopped before the first run.</p>
  if (rate === undefined || site === undefined) return null
  const worst = [...state.byMetric].toSorted(([, one], [, other]) => other - one)
  return (
    <div className="grid gap-6">
      <p role={phase === 'running' ? undefined : 'status'} className="text-pretty font-medium">
        {rate.rolledBack === 0
          ? `None of ${countOf(rate.runs, 'harmless run')} was rolled back`
          : `${shareText(rate.share)} of ${countOf(rate.runs, 'harmless run')} ${rate.rolledBack === 1 ? 'was' : 'were'} rolled back`}
      </p>
      <ul className="grid gap-2 text-pretty text-text-2">
        <li>
          Between {shareText(rate.lower)} and {shareText(rate.upper)}(95% confidence interval). Allowed: at
          most {shareText(alpha)}.
        </li>
        {worst.map(([metric, count]) => (
          <li key={metric}>
            {known.nameOf(metric)} rolled back {countOf(count, 'of them', 'of them')}.
          </li>
        ))}
        <li>
          {fullCountText(site.people)} users
          {site.sampled < 1 && `, ${shareText(site.sampled)} of all`}, over {spanText(site.time)} each, in{' '}
          {site.looks} checks. A running guard checks more often.
        </li>
        {site.isShortened && <li>Less data than the plan's maximum duration: stages were shortened.</li>}
        {why === 'time' && <li>Timed out before all {site.runs} runs.</li>}
        {phase === 'stopped' && (
          <li>
            Stopped before{' '}
            {rate.runs < site.runs ? `all ${site.runs} runs` : 'all past rollouts were replayed'}.
          </li>
        )}
      </ul>
    </div>
  )
}
