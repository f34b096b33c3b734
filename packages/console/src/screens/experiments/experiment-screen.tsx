import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { percentText } from '@telltale/core/changes/condition-words'
import { type Experiment, experimentQuery } from '../../api/experiments.ts'
import { CommentsPanel } from '../../features/comments/comments-panel.tsx'
import { interruptionOf } from '../../features/experiments/interruption.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf, signedShareText } from '../../ui/text/measure-text.ts'
import { TimeBy } from '../../ui/text/time-by.tsx'
import { ExperimentActions } from './experiment-actions.tsx'
import { ExperimentState } from './experiment-state.tsx'
import { gainText, withinText } from './experiment-words.ts'
import { ResultsPanels } from './results-panels.tsx'

/** One experiment: its plan, its results and its decision. Its print view is the report. */
export function ExperimentScreen() {
  const { project } = useScope()
  const { experiment: id } = useParams({ from: '/p/$project/experiments/$experiment' })
  const experiment = useQuery(experimentQuery({ project, experiment: id }))
  return (
    <Screen
      title={experiment.data?.name ?? 'Experiment'}
      scope="none"
      crumbs={
        <Link to="/p/$project/experiments" params={{ project }} search={{}} className="hover:text-text">
          Experiments
        </Link>
      }
      actions={experiment.data && <ExperimentActions experiment={experiment.data} />}
    >
      <Async of={experiment}>{(found) => <Report experiment={found} />}</Async>
    </Screen>
  )
}

function Report({ experiment }: { experiment: Experiment }) {
  const { decision, state } = experiment
  const interruption = interruptionOf(experiment)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_330px] items-start gap-16 max-full:grid-cols-[minmax(0,1fr)] print:grid-cols-[minmax(0,1fr)]">
      <div className="grid min-w-0 content-start gap-16">
        {interruption && <Notice tone="warn" {...interruption} />}
        {decision && (
          <Panel title="Decision">
            <p>
              {decision.variation === null ? (
                'No variation was chosen.'
              ) : (
                <>
                  Keep <code>{decision.variation}</code>.
                </>
              )}
            </p>
            {decision.note !== '' && (
              <p className="whitespace-pre-line pt-4 text-pretty text-text-2 [overflow-wrap:anywhere]">
                {decision.note}
              </p>
            )}
          </Panel>
        )}
        {state === 'draft' ? (
          <Notice
            tone="info"
            title="Not started"
            detail="Start it to fix its goals. Only what happens afterwards counts."
          />
        ) : (
          <ResultsPanels experiment={experiment} />
        )}
      </div>
      <div className="grid min-w-0 content-start gap-16">
        <PlanPanel experiment={experiment} />
        {experiment.state !== 'draft' && (
          <div className="print:hidden">
            <CommentsPanel on={{ kind: 'experiment', subject: experiment.id }} />
          </div>
        )}
      </div>
    </div>
  )
}

function PlanPanel({ experiment }: { experiment: Experiment }) {
  const { project } = useScope()
  const { flag, flagName, env, goals, hypothesis, control, by, days, layer } = experiment
  const { startedAt, startedBy, endedAt, endedBy, createdBy, createdAt } = experiment
  return (
    <Panel title="Plan">
      <div className="grid gap-12">
        {hypothesis !== '' && (
          <p className="whitespace-pre-line text-pretty [overflow-wrap:anywhere]">{hypothesis}</p>
        )}
        <Facts
          inWords
          facts={[
            ['State', <ExperimentState key="state" state={experiment.state} />],
            [
              'Flag',
              <Link
                key="flag"
                to="/p/$project/flags/$flag/impact"
                params={{ project, flag }}
                search={{ env }}
                className="text-accent hover:underline"
                title={flagName}
              >
                <code>{flag}</code>
              </Link>,
            ],
            ['Environment', env],
            ['Control', <code key="control">{control}</code>],
            layer !== null && ['Layer', `${percentText(layer.share)} of ${layer.name}`],
            by !== null && ['Counted by', <code key="by">{by}</code>],
            days !== null && ['Planned', countOf(days, 'day')],
            ['Created', <TimeBy key="created" at={createdAt} by={createdBy} />],
            startedAt !== null && ['Started', <TimeBy key="started" at={startedAt} by={startedBy} />],
            endedAt !== null && ['Ended', <TimeBy key="ended" at={endedAt} by={endedBy} />],
          ]}
        />
        <ul aria-label="Goals" className="grid gap-6">
          {goals.map((goal) => (
            <li key={goal.metric} className="grid">
              <span className="font-medium [overflow-wrap:anywhere]">{goal.name}</span>
              <span className="text-12 text-text-2">
                {gainText(goal)}
                {goal.window !== null && `, ${withinText(goal)}`}; no worse within{' '}
                {signedShareText(goal.better === 'lower' ? goal.margin : -goal.margin)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}
