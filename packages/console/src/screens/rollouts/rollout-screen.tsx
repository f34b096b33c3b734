import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type RolloutDetail, rolloutQuery } from '../../api/rollouts.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { CommentsPanel } from '../../features/comments/comments-panel.tsx'
import { RecordedSoFar } from '../../features/recording-orders/recorded-so-far.tsx'
import { BackTestView } from '../../features/rollout/back-test/back-test-view.tsx'
import { useBackTest } from '../../features/rollout/back-test/use-back-test.ts'
import { DecisionLog } from '../../features/rollout/decision-log.tsx'
import { QualityPanel } from '../../features/rollout/quality-panel.tsx'
import { RolloutDecisions } from '../../features/rollout/rollout-decisions.tsx'
import { RolloutState } from '../../features/rollout/rollout-state.tsx'
import { holdText, percent, promiseText, spanText } from '../../features/rollout/rollout-words.ts'
import { StageLadder } from '../../features/rollout/stage-ladder.tsx'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { WatchedList } from '../../features/rollout/watched-list.tsx'
import {
  evidenceOfTelltale,
  isOldTelltale,
  lastWordOf,
  noGuard,
  stateOfTelltale,
  telltaleText,
} from '../../features/telltale/telltale-words.ts'
import { SampledNotice } from '../../features/usage/sampled-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { Time, useNow } from '../../ui/text/time.tsx'
import { DecisionAnnouncement } from './decision-announcement.tsx'
import { EvidencePanels } from './evidence-panels.tsx'
import { MetricTiles } from './metric-tiles.tsx'
import { NarrowingPanel } from './narrowing-panel.tsx'
import { PlanAgain } from './plan-again.tsx'
import { ProofPanel } from './proof-panel.tsx'
import { telltaleOfRollout } from './rollout-summary.ts'

/** One guarded rollout: its state, evidence and decisions. Its print view is the report. */
export function RolloutScreen() {
  const { project } = useScope()
  const { rollout: id } = useParams({ from: '/p/$project/rollouts/$rollout' })
  const rollout = useQuery(rolloutQuery({ project, rollout: id }))
  const title = rollout.data ? `Rollout of ${rollout.data.flag}` : 'Rollout'

  return (
    <Screen
      title={title}
      scope="none"
      crumbs={
        <Link to="/p/$project/rollouts" params={{ project }} search={{}} className="hover:text-text">
          Rollouts
        </Link>
      }
      actions={
        rollout.data && (
          <span className="flex gap-8 print:hidden">
            <Link
              to="/p/$project/flags/$flag/impact"
              params={{ project, flag: rollout.data.flag }}
              search={{ env: rollout.data.env }}
              className={buttonClass()}
            >
              Impact
            </Link>
            <Button onClick={() => window.print()}>Print</Button>
          </span>
        )
      }
    >
      <Async of={rollout}>{(found) => <Report rollout={found} />}</Async>
    </Screen>
  )
}

function Report({ rollout }: { rollout: RolloutDetail }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_330px] items-start gap-16 max-full:grid-cols-[minmax(0,1fr)] print:grid-cols-[minmax(0,1fr)]">
      <div className="grid min-w-0 content-start gap-16">
        <DecisionAnnouncement rollout={rollout} />
        <Sampled rollout={rollout} />
        <HeadPanel rollout={rollout} />
        <ProofPanel rollout={rollout} />
        <NarrowingPanel rollout={rollout} />
        <EvidencePanels rollout={rollout} />
        <MetricTiles rollout={rollout} />
        <Quality rollout={rollout} />
        <Panel title="Decision log" flush>
          <DecisionLog rollout={rollout} />
        </Panel>
        <div className="print:hidden">
          <CommentsPanel on={{ kind: 'rollout', subject: rollout.id }} />
        </div>
      </div>
      <aside aria-label="Plan" className="grid min-w-0 content-start gap-16">
        <Panel title="Stages">
          <StageLadder rollout={rollout} />
        </Panel>
        <Panel title="Watched">
          <WatchedList rollout={rollout} />
        </Panel>
        <PlanPanel rollout={rollout} />
        <div className="contents print:hidden">
          <BackTestPanel rollout={rollout} />
        </div>
      </aside>
    </div>
  )
}

/** Whether a quota or a spike reduced its data. */
function Sampled({ rollout: { env, startedAt, endedAt } }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  if (startedAt === null) return null
  const period = { from: startedAt, ...(endedAt !== null && { to: endedAt }) }
  return <SampledNotice place={{ project, env }} period={period} />
}

/** From the guard's last evaluation. */
function Quality({ rollout }: { rollout: RolloutDetail }) {
  const { nameOf } = useKnownMetrics()
  const { seen, treatment, control } = rollout
  if (seen === null || seen.quality === null) return null
  const metrics = seen.findings.map(({ metric, quality }) => ({ metric, name: nameOf(metric), quality }))
  return <QualityPanel quality={seen.quality} metrics={metrics} treatment={treatment} control={control} />
}

function HeadPanel({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const now = useNow()
  const reported = telltaleOfRollout(rollout)
  const text = telltaleText(reported)
  const hold = holdText(rollout)
  return (
    <Panel
      title={<code>{rollout.flag}</code>}
      note={rollout.flagName}
      actions={<RolloutState state={rollout.state} />}
    >
      <div className="flex flex-wrap items-start gap-x-24 gap-y-12">
        <div className="grid gap-8">
          <Telltale
            evidence={reported === undefined ? noGuard : evidenceOfTelltale(reported)}
            text={text ?? ''}
            size="lg"
            moving={rollout.endedAt === null}
            isOld={isOldTelltale(reported, now)}
          />
          <p className="flex flex-wrap items-baseline gap-x-8">
            <Verdict state={stateOfTelltale(reported)} word={lastWordOf(reported)} />
            {text && <span className="text-text-2">{text}</span>}
          </p>
        </div>
        <div className="grid min-w-[240px] flex-1 gap-10">
          <p className="text-pretty text-text-2">
            <code>{rollout.treatment}</code> vs <code>{rollout.control}</code>: {percent(rollout.weight)} get{' '}
            <code>{rollout.treatment}</code>
            {rollout.seen &&
              `, ${fullCountText(rollout.seen.units.treatment)} and ${fullCountText(rollout.seen.units.control)} users so far`}
            .
          </p>
          {rollout.reason && <p className="break-words text-text-2">“{rollout.reason}”</p>}
          {hold && <p className="text-pretty font-medium text-warn">{hold}</p>}
          {rollout.endedAt === null && (
            <p className="text-pretty text-text-2">{promiseText(rollout.metrics)}</p>
          )}
          {rollout.endedAt === null && (
            <RecordedSoFar project={project} env={rollout.env} kind="rollout" id={rollout.id} />
          )}
          <RolloutDecisions rollout={rollout} />
          {(rollout.state === 'draft' || rollout.endedAt !== null) && <PlanAgain rollout={rollout} />}
        </div>
      </div>
    </Panel>
  )
}

const undecided = { hold: 'it stays on hold', revert: 'it rolls back', ship: 'it continues' } as const

function PlanPanel({ rollout }: { rollout: RolloutDetail }) {
  const { env, by, alpha, timeBox, whenUndecided, startedAt, endedAt, startedBy, evidence } = rollout
  return (
    <Panel title="Plan">
      <Facts
        inWords
        facts={[
          ['Environment', env],
          ['Unit', by],
          ['False alarms', `at most ${alpha * 100}% of harmless rollouts`],
          ['Stage time limit', `${spanText(timeBox)}, then ${undecided[whenUndecided]} if undecided`],
          rollout.onSliceHarm === 'narrow' && ['Harm in a slice', 'excludes the slice for a week'],
          ...(evidence > 1
            ? [['Evidence', `restarted ${evidence === 2 ? 'once' : `${evidence - 1} times`}`] as const]
            : []),
          ['Started', <Time key="started" at={startedAt} none="not yet" />],
          ...(startedBy ? [['By', startedBy.name] as const] : []),
          ...(endedAt ? [['Ended', <Time key="ended" at={endedAt} />] as const] : []),
        ]}
      />
    </Panel>
  )
}

/** Back-tests the guard of this rollout. */
function BackTestPanel({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const testing = useBackTest({ project, rollout: rollout.id })
  return (
    <Panel title="Back-test">
      <BackTestView testing={testing} plan={rollout} />
    </Panel>
  )
}
