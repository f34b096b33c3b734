import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Environment } from '../../../api/environments.ts'
import type { SavedConfig } from '../../../api/flag-configs.ts'
import { toProblem } from '../../../api/problem.ts'
import { type RolloutRow, runningRolloutsQuery } from '../../../api/rollouts.ts'
import { Notice } from '../../../ui/notice.tsx'
import { percent, stateWords } from '../rollout-words.ts'
import { weightAt } from './place-choices.ts'
import { tooFewText, trafficText } from './plan-words.ts'
import type { Planned } from './use-plan.ts'

/** What the traffic of the site allows, above everything else. */
export function TrafficNotice({ planned }: { planned: Planned }) {
  const { form, proposal, plan, forecast } = planned
  const instead = form.template === '' ? ' The usual stages and limits are filled in.' : ''
  if (proposal.error && !proposal.data) {
    const { title, detail } = toProblem(proposal.error)
    return (
      <Notice
        tone="warn"
        title="No proposal from your traffic"
        detail={`${title}. ${detail ?? ''}${instead}`}
      />
    )
  }
  if (!proposal.data) return null
  if (proposal.data.traffic.units === 0) {
    return (
      <Notice
        tone="warn"
        title="No telemetry yet"
        detail={`The guard needs browser telemetry. Without it, a rollout stays on hold.${instead}`}
      />
    )
  }
  const isDecidable = plan.metrics.some(({ metric, limit }) => {
    const smallest = forecast?.metrics.get(metric)?.smallest
    return smallest !== undefined && smallest <= limit
  })
  return (
    <div className="grid gap-8">
      <p className="text-text-2">{trafficText(proposal.data)}</p>
      {forecast && !isDecidable && (
        <Notice
          tone="warn"
          title="Too few users to decide any of these metrics"
          detail={tooFewText(forecast, plan)}
        />
      )}
    </div>
  )
}

/** Reasons that prevent a start, one line each. A draft can be saved anyway. */
export function useObstacles(planned: Planned, of: { config: SavedConfig; environment: Environment }) {
  const { form, proposal, place } = planned
  const running = useRunningAt(planned)
  const found: string[] = []
  if (place === undefined) found.push('The rule it was planned for has been deleted.')
  if (!of.config.enabled) found.push(`The flag is off in ${of.environment.name}: turn it on first.`)
  if (running) found.push(`A guarded rollout of ${running.treatment} is already running on this split.`)
  if (proposal.data?.unmeasured && proposal.data.by === form.by) found.push(proposal.data.unmeasured)
  if (of.environment.approvalRequired)
    found.push(`Changes in ${of.environment.name} require approval: other members must approve this draft.`)
  return { found, running, project: planned.at.project }
}

function useRunningAt({ at, form }: Planned): RolloutRow | undefined {
  const running = useQuery(runningRolloutsQuery(at))
  return running.data?.find(({ place }) => place === form.place)
}

/** Why it can be saved but not started. */
export function ObstacleNotice({ obstacles }: { obstacles: ReturnType<typeof useObstacles> }) {
  const { found, running, project } = obstacles
  if (found.length === 0) return null
  return (
    <Notice
      tone="warn"
      title="Cannot start now; save it as a draft"
      detail={
        <>
          <ul className="grid gap-2">
            {found.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {running && (
            <Link
              to="/p/$project/rollouts/$rollout"
              params={{ project, rollout: running.id }}
              className="text-accent hover:underline"
            >
              Show rollout ({stateWords[running.state].toLowerCase()})
            </Link>
          )}
        </>
      }
    />
  )
}

/** The users who lose the variation at the start, or are split first. */
export function SplitNotice({ planned }: { planned: Planned }) {
  const { form, place, plan } = planned
  const has = weightAt(place, form.treatment)
  const first = plan.stages[0]?.weight ?? Number.NaN
  if (place && place.by === undefined) {
    return (
      <p className="text-text-2">
        Everyone here currently gets <code>{form.control}</code>. Starting splits users by{' '}
        <code>{form.by}</code>.
      </p>
    )
  }
  if (!(has > first)) return null
  return (
    <Notice
      tone="warn"
      title={
        <>
          {percent(has)} now get <code>{form.treatment}</code>
        </>
      }
      detail="The first stage is smaller, so some users will lose it."
    />
  )
}
