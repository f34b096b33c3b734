import type { RolloutDetail } from '../../api/rollouts.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { countOf, fullCountText, shareText } from '../../ui/measure-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { type BackTestState, useBackTest } from './use-back-test.ts'

/** How often this guard would roll back a change that changes nothing, by what the site's own people did. */
export function BackTestPanel({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const { state, start, stop } = useBackTest({ project, rollout: rollout.id })
  const isRunning = state.phase === 'running'
  return (
    <Panel title="Back-test">
      <div className="grid gap-10">
        {state.phase === 'idle' && (
          <p className="text-pretty text-text-2">
            Draws the people of the last 30 days into arms that never were, again and again, and lets this
            plan judge them. Nothing was changed for them, so every roll-back is a false alarm.
          </p>
        )}
        {isRunning && (
          <ProgressBar
            label="Draws judged"
            done={state.rate?.runs ?? 0}
            of={state.site?.runs ?? 1}
            text={
              state.site === undefined
                ? 'Reading what people did …'
                : `${state.rate?.runs ?? 0} of ${state.site.runs} draws …`
            }
          />
        )}
        <Result state={state} alpha={rollout.alpha} />
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
            <Button onClick={start}>{state.phase === 'idle' ? 'Try it on the past' : 'Try again'}</Button>
          )}
        </div>
      </div>
    </Panel>
  )
}

const reasons: Partial<Record<NonNullable<BackTestState['why']>, string>> = {
  nobody: 'Nobody was here in the last 30 days: there is nothing to try it on.',
  'no-comparison': 'The plan has no stage with two arms, so nothing can be compared.',
  'engine-unavailable': 'The telemetry store is away. Try again when it is back.',
  'query-too-large': 'The last 30 days hold more than one question may read.',
}

function Result({ state, alpha }: { state: BackTestState; alpha: number }) {
  const { rate, site, why, phase } = state
  if (why !== undefined && reasons[why] !== undefined) return <p className="text-pretty">{reasons[why]}</p>
  if (rate === undefined || site === undefined) return null
  const worst = [...state.byMetric].toSorted(([, one], [, other]) => other - one)
  return (
    <div className="grid gap-6">
      <p role={phase === 'running' ? undefined : 'status'} className="text-pretty font-medium">
        {rate.rolledBack === 0
          ? `None of ${countOf(rate.runs, 'harmless draw')} was rolled back`
          : `${shareText(rate.share)} of ${countOf(rate.runs, 'harmless draw')} ${rate.rolledBack === 1 ? 'was' : 'were'} rolled back`}
      </p>
      <ul className="grid gap-2 text-pretty text-text-2">
        <li>
          Between {shareText(rate.lower)} and {shareText(rate.upper)}, with 95% confidence; agreed is at most{' '}
          {shareText(alpha)}.
        </li>
        {worst.map(([metric, count]) => (
          <li key={metric}>
            <code>{metric}</code> rolled back {countOf(count, 'of them', 'of them')}.
          </li>
        ))}
        <li>
          {fullCountText(site.people)} people
          {site.sampled < 1 && `, ${shareText(site.sampled)} of all`}, {site.looks} looks in each draw. A
          running guard looks more often.
        </li>
        {why === 'time' && <li>Its time was over before all {site.runs} draws were done.</li>}
        {phase === 'stopped' && <li>Stopped before all {site.runs} draws were done.</li>}
      </ul>
    </div>
  )
}
