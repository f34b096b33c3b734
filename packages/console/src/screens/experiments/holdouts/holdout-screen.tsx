import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { percentText } from '@telltale/core/changes/condition-words'
import { useState } from 'react'
import {
  deleteHoldout,
  endHoldout,
  type Holdout,
  type HoldoutResults,
  holdoutQuery,
  holdoutResultsQuery,
  holdoutsKey,
} from '../../../api/holdouts.ts'
import { toProblem } from '../../../api/problem.ts'
import { QualityPanel } from '../../../features/rollout/quality-panel.tsx'
import { useMay } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { Time, useNow } from '../../../ui/text/time.tsx'
import { TimeBy } from '../../../ui/text/time-by.tsx'
import { ExperimentState } from '../experiment-state.tsx'
import { ArmPanel } from '../results-panels.tsx'
import { EditHoldout } from './edit-holdout.tsx'
import { endFacts } from './holdout-words.ts'

/** One holdout: its plan, and the effect of the covered flags on all other users. */
export function HoldoutScreen() {
  const { project } = useScope()
  const { holdout: key } = useParams({ from: '/p/$project/experiments/holdouts/$holdout' })
  const holdout = useQuery(holdoutQuery({ project, holdout: key }))
  return (
    <Screen
      title={holdout.data?.name ?? 'Holdout'}
      scope="none"
      crumbs={
        <Link to="/p/$project/experiments/holdouts" params={{ project }} className="hover:text-text">
          Holdouts
        </Link>
      }
      actions={holdout.data && <Actions holdout={holdout.data} />}
    >
      <Async of={holdout}>
        {(found) => (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_330px] items-start gap-16 max-full:grid-cols-[minmax(0,1fr)]">
            <div className="grid min-w-0 content-start gap-16">
              {found.isFlagsmith && found.state === 'running' && (
                <Notice
                  tone="warn"
                  title="Flagsmith clients with local evaluation ignore holdouts"
                  detail="They serve held-out users like all others, so the results are smaller than the real effect. Clients over HTTP and Telltale’s own clients are not affected."
                />
              )}
              <Results holdout={found} />
            </div>
            <PlanPanel holdout={found} />
          </div>
        )}
      </Async>
    </Screen>
  )
}

const findings: Record<Exclude<HoldoutResults['finding'], 'measured'>, { title: string; detail: string }> = {
  'no-flags': {
    title: 'All covered flags are archived or deleted',
    detail: 'No user is held out of anything any more. End the holdout.',
  },
  'no-users': {
    title: 'No users yet',
    detail: 'No user of this environment sent telemetry since the start.',
  },
  'none-held-out': {
    title: 'No held-out user yet',
    detail: 'Others were seen, but none of the users who are held out. The share may be too small.',
  },
  'too-few-users': {
    title: 'Too few users for a verdict',
    detail: 'A verdict needs 100 users on each side. The numbers below may still change much.',
  },
}

const orderOf = (arm: string) => (arm === 'held-out' ? 0 : 1)

function Results({ holdout }: { holdout: Holdout }) {
  const { project } = useScope()
  const isRunning = holdout.state === 'running'
  const now = useNow()
  const isOver = holdout.overAt !== null && Date.parse(holdout.overAt) <= now
  const results = useQuery(holdoutResultsQuery({ project, holdout: holdout.key }, isRunning))
  return (
    <Async of={results}>
      {({ arm, finding, at }) => (
        <>
          {isRunning && isOver && (
            <Notice
              tone="info"
              title="The planned days are over"
              detail={
                holdout.whenOver === 'continue'
                  ? 'Its users are still held out. End it to give them the flags, and to keep the results.'
                  : 'It ends as soon as its results are measured and kept.'
              }
            />
          )}
          {finding !== 'measured' && <Notice tone="info" {...findings[finding]} />}
          {arm.units.treatment + arm.units.control > 0 && (
            <>
              <ArmPanel arm={arm} control="held-out" orderOf={orderOf} />
              <QualityPanel quality={arm.quality} metrics={arm.goals} treatment="others" control="held-out" />
            </>
          )}
          <p className="text-12 text-text-3">
            {isRunning ? 'Read ' : 'As it was at the end, '}
            <Time at={at} />. “Others” are a sample of all users who are not held out. Intervals of all
            metrics hold together at every look with 95%.
          </p>
        </>
      )}
    </Async>
  )
}

function PlanPanel({ holdout }: { holdout: Holdout }) {
  const { env, share, flags, days, state, description, createdAt, createdBy, endedAt, endedBy } = holdout
  const { overAt, whenOver, follows } = holdout
  const { project } = useScope()
  return (
    <Panel title="Plan">
      <div className="grid gap-12">
        {description !== '' && <p className="text-pretty [overflow-wrap:anywhere]">{description}</p>}
        <Facts
          inWords
          facts={[
            ['State', <ExperimentState key="state" state={state} />],
            ['Environment', env],
            ['Held out', `${percentText(share)} of users`],
            ['Flags', flags === null ? 'all, also later ones' : <Flags key="flags" of={flags} />],
            days !== null && ['Planned', countOf(days, 'day')],
            overAt !== null &&
              state === 'running' && [
                'Then',
                <span key="over">
                  <Time at={overAt} />: {endFacts[whenOver]}
                </span>,
              ],
            follows !== null && [
              'Follows',
              <Link
                key="follows"
                to="/p/$project/experiments/holdouts/$holdout"
                params={{ project, holdout: follows }}
                className="text-accent hover:underline"
              >
                <code>{follows}</code>
              </Link>,
            ],
            ['Started', <TimeBy key="started" at={createdAt} by={createdBy} />],
            endedAt !== null && ['Ended', <TimeBy key="ended" at={endedAt} by={endedBy} />],
          ]}
        />
      </div>
    </Panel>
  )
}

function Flags({ of }: { of: NonNullable<Holdout['flags']> }) {
  if (of.length === 0) return 'deleted'
  return (
    <span className="flex flex-wrap gap-x-8">
      {of.map(({ key, archived }) => (
        <code key={key} className="[overflow-wrap:anywhere]">
          {archived ? `${key} (archived)` : key}
        </code>
      ))}
    </span>
  )
}

function Actions({ holdout }: { holdout: Holdout }) {
  const { project } = useScope()
  const mayChange = useMay('flags.change', holdout.env)
  const [isOpen, setOpen] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isRunning = holdout.state === 'running'
  const acting = useMutation({
    mutationFn: async () => {
      const of = { project, holdout: holdout.key }
      if (isRunning) await endHoldout(of)
      else await deleteHoldout(of)
    },
    onSuccess: async () => {
      if (!isRunning) await navigate({ to: '/p/$project/experiments/holdouts', params: { project } })
      await queryClient.invalidateQueries({ queryKey: holdoutsKey(project) })
      setOpen(false)
    },
  })
  if (!mayChange) return null
  return (
    <>
      <Button onClick={() => setEditing(true)}>Edit…</Button>
      {isEditing && <EditHoldout holdout={holdout} onClose={() => setEditing(false)} />}
      <Button look={isRunning ? 'primary' : 'normal'} onClick={() => setOpen(true)}>
        {isRunning ? 'End…' : 'Delete…'}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`${isRunning ? 'End' : 'Delete'} ${holdout.name}`}
          consequence={
            isRunning
              ? 'Its users get all flags like everyone else from now on. The results are kept as they are now. It cannot start again with the same users.'
              : 'Its kept results are deleted. Flags and telemetry stay.'
          }
          verb={isRunning ? 'End holdout' : 'Delete'}
          danger={!isRunning}
          busy={acting.isPending}
          problem={acting.error && toProblem(acting.error)}
          onConfirm={() => acting.mutate()}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
