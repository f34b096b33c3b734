// A rollout of the demo, with the actions of members and guard, by the operations that members use, each at its
// time. The guard's findings are not known yet; `add-findings.ts` reads them from the history.

import { lookAt } from '@telltale/core/guard/look'
import type { LookEvidence } from '@telltale/core/guard/rollout'
import { grantOf } from '@telltale/core/rights'
import { takeLease } from '../../guard/looks/queries.ts'
import { actOnRollout } from '../../guard/rollouts/act-on-rollout.ts'
import { applyTurn } from '../../guard/rollouts/apply-turn.ts'
import { createRollout } from '../../guard/rollouts/create-rollout.ts'
import { getRollout, planOf, standingOf } from '../../guard/rollouts/queries.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { DemoRollout } from './demo.ts'

interface MadeRollout {
  project: { id: string; key: string }
  env: string
  rollout: DemoRollout
  /**
   * Lease holder that keeps the server's guard away during the steps: it would decide without the evidence,
   * which is added later.
   */
  holder: string
  /** By name. */
  people: ReadonlyMap<string, string>
  now: Date
}

/** Far longer than the steps take; the next start deletes what an interrupted one left behind. */
const leaseSpan = 10 * 60_000

export interface Step {
  ago: number
  make(): Promise<void>
}

export function stepsOfRollout(db: Db, { project, env, rollout, holder, people, now }: MadeRollout): Step[] {
  const { flag, by: name, reason, stages, metrics } = rollout
  const by = { id: people.get(name) ?? '', name }
  let id = ''

  const start = async () => {
    const at = new Date(now.getTime() - rollout.ago)
    const origin = { actor: { kind: 'user', ...by } as const, requestId: null, now: at }
    const place = { project, grant: grantOf('admin'), env, flag } as const
    const given = { treatment: 'on', reason, stages: [...stages], metrics }
    id = (await createRollout(db, origin, { place, author: by, given })).id
    await takeLease(db, id, { holder, span: leaseSpan })
    const acting = {
      project,
      grant: grantOf('admin'),
      id,
      action: 'start',
      by,
      turn: 0,
      comment: reason,
    } as const
    await actOnRollout(db, origin, acting)
  }
  const go = async ({ ago, action, metric: harmed }: DemoRollout['steps'][number]) => {
    const before = await getRollout(db, project.id, id)
    const at = new Date(now.getTime() - ago)
    const standing = standingOf(before.row)
    const { minDuration, minUnits } = stages[standing.stage] ?? { minDuration: 0, minUnits: 0 }
    const units = { treatment: minUnits, control: minUnits }
    const evidence: LookEvidence = {
      units,
      split: { exposures: [], heard: [] },
      findings: metrics.map(({ metric, limit, role }) => ({
        metric,
        state: metric === harmed ? 'regressed' : role === 'required' ? 'healthy' : 'watching',
        units,
        limit,
        margin: limit,
      })),
    }
    const signal = { spoolLag: 0, evaluations: 0, heard: units, expected: undefined, isFresh: true }
    const turn = lookAt(
      planOf(before.row),
      { ...standing, watched: minDuration },
      { now: at.getTime(), flag: 'on', signal, evidence },
    )
    const isAsTold = turn.decisions.some((decision) => decision.action === action)
    if (!isAsTold) throw new Error(`The guard of ${flag} did not ${action}.`)
    await applyTurn(db, { before, turn, evidence: undefined, now: at })
  }
  return [
    { ago: rollout.ago, make: start },
    ...rollout.steps.map((step) => ({ ago: step.ago, make: () => go(step) })),
  ]
}
