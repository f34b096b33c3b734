// A rollout from start to end on the real engine, with an injected clock: users arrive, the guard looks, and
// its decision sets the shares for the next users.
import { act } from '@telltale/core/guard/act'
import { judgeAll, nextShareOf } from '@telltale/core/guard/judge-all'
import { lookAt } from '@telltale/core/guard/look'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { type Decision, newRollout, type Rollout, type RolloutPlan } from '@telltale/core/guard/rollout'
import { hasEnded } from '@telltale/core/states/rollout'
import { sendEvents } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import type { Telemetry } from '../../../platform/engines/clickhouse/telemetry.ts'
import { readEvidence } from '../read-evidence.ts'
import { readSignals } from '../read-signal.ts'
import type { ComparedArms } from '../split-question.ts'
import type { Site, Visitors } from './visitors.ts'

export interface WatchedRollout {
  telemetry: Pick<Telemetry, 'read' | 'insert'>
  site: Site
  visitors: Visitors
  plan: RolloutPlan
  metrics: readonly JudgedMetric[]
  /** Time between two looks, and the number of users who arrive in it. */
  interval: number
  people: number
  looks: number
  startedAt: number
}

export interface WatchedEnd {
  rollout: Rollout
  decisions: Decision[]
  looks: number
}

const weightTotal = 100_000

export async function watchRollout(watched: WatchedRollout): Promise<WatchedEnd> {
  const { plan, telemetry, site, visitors } = watched
  const begun = act(plan, newRollout(), { action: 'start', by: 'ada', turn: 0, now: watched.startedAt })
  if (!('rollout' in begun)) throw new Error('it did not start')
  let { rollout } = begun
  const decisions = [...begun.decisions]
  let looks = 0

  while (looks < watched.looks && !hasEnded(rollout.state)) {
    looks += 1
    const now = watched.startedAt + looks * watched.interval
    const stage = { epoch: rollout.stage + 1, share: (plan.stages[rollout.stage]?.weight ?? 0) / weightTotal }
    const arrived = visitors.arrive(watched.people, new Date(now - 1_000), stage)
    await sendEvents(telemetry, arrived, `rollout-${site.split}-${looks}`)
    const turn = lookAt(plan, rollout, await see({ ...watched, now }, rollout))
    rollout = turn.rollout
    decisions.push(...turn.decisions)
  }
  return { rollout, decisions, looks }
}

async function see(watched: WatchedRollout & { now: number }, rollout: Rollout) {
  const { telemetry, site, plan, metrics, now } = watched
  const arms: ComparedArms = {
    environmentId: site.environment,
    split: site.split,
    epochs: plan.stages
      .slice(0, rollout.stage + 1)
      .map(({ weight }, index) => ({ epoch: index + 1, share: weight / weightTotal })),
    treatment: 'treatment',
    control: 'control',
  }
  const [evidence, [signal]] = await Promise.all([
    readEvidence(telemetry, arms, metrics),
    readSignals(telemetry, [arms], new Date(now)),
  ])
  if (signal === undefined) throw new Error('no signal of the split')
  return {
    now,
    flag: 'on' as const,
    signal: { ...signal, spoolLag: 0, evaluations: watched.people },
    evidence: {
      units: evidence.exposures.units,
      split: { exposures: evidence.exposures.stages, heard: evidence.heard },
      findings: judgeAll(metrics, evidence.metrics, {
        alpha: plan.alpha,
        nextShare: nextShareOf(plan, rollout.stage),
      }),
    },
  }
}
