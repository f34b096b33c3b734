import type { Rollout } from '@telltale/core/contract/rollouts'
import { type Problem, problem } from '@telltale/core/errors'
import { type Act, type ActRefusal, act, isOnwards, type PersonalAction } from '@telltale/core/guard/act'
import type { BaseOfMetric } from '@telltale/core/guard/built-in-metrics'
import { type Grant, may } from '@telltale/core/rights'
import { and, eq, isNotNull } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import {
  type ChangeContext,
  type Changed,
  type ChangeOrigin,
  change,
} from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { rolloutDecisions } from '../../platform/engines/postgres/rollout-schema.ts'
import { checkMayChange, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { findSpent } from '../harm-budget/find-spent.ts'
import { carryOut } from './carry-out.ts'
import { prepareStart } from './prepare-start.ts'
import { lockRollout, type PlacedRollout, planOf, standingOf } from './queries.ts'
import { toRollout } from './rollout.ts'

export interface Acting {
  project: { id: string; key: string }
  grant: Grant
  id: string
  action: PersonalAction
  by: { id: string; name: string }
  /** The turn that the client saw; undefined for pause and rollback, which work at any turn. */
  turn: number | undefined
  comment: string | undefined
  /** For a start. */
  bases?: ReadonlyMap<string, BaseOfMetric> | undefined
}

type Outcome = { done: Rollout } | { refused: ActRefusal; current: Rollout }

/** A member's action on a rollout. An outdated action is refused and logged. */
export async function actOnRollout(db: Db, origin: ChangeOrigin, acting: Acting): Promise<Rollout> {
  const outcome = await attempt(db, origin, acting)
  if ('done' in outcome) return outcome.done
  throw refusalOf(outcome)
}

/** Pause and rollback need only the permission to change flags. */
const brakes: ReadonlySet<PersonalAction> = new Set(['pause', 'roll-back'])

const attempt = change(async (context, acting: Acting): Promise<Changed<Outcome>> => {
  const { db, now } = context
  const { project, grant, action, by, comment } = acting
  const before = await lockRollout(db, project.id, acting.id)
  const place = await resolveConfigRef(db, { project, env: before.environment.key, flag: before.flag.key })
  if (!brakes.has(action)) checkMayChange(place.environment, grant)

  const standing = standingOf(before.row)
  const turn = acting.turn ?? standing.turn
  const budget = await budgetOf(context, before, acting)
  const acted = act(planOf(before.row), standing, { action, by: by.id, turn, now: now.getTime(), budget })
  if ('refused' in acted) {
    if (turn < standing.turn) await noteLate(context, before, { ...acting, refused: acted.refused })
    return { reply: { refused: acted.refused, current: await toRollout(db, before) }, changes: [] }
  }
  const set =
    action === 'start'
      ? await prepareStart(context, before, { ...place, by, grant, bases: acting.bases })
      : {}
  const { reply, changes } = await carryOut(context, before, { turn: acted, set, by, comment })
  return { reply: { done: await toRollout(db, reply) }, changes }
})

/** Who may change protected environments may continue although the budget of harm is spent, and says why. */
async function budgetOf(
  { db, now }: ChangeContext,
  { row, environment }: PlacedRollout,
  { action, grant, comment }: Acting,
): Promise<Act['budget']> {
  if (!isOnwards(action)) return undefined
  const spent = await findSpent(db, [row.environmentId], now)
  if (!spent.has(row.environmentId)) return undefined
  const mayContinue = comment !== undefined && may(grant, 'flags.change-protected', environment.key)
  return mayContinue ? 'overridden' : 'spent'
}

/** Limits the log if a client retries an outdated action again and again. */
const lateEntries = 100

async function noteLate(
  { db, now }: ChangeContext,
  { row }: PlacedRollout,
  { action, by, comment, refused }: Acting & { refused: ActRefusal },
): Promise<void> {
  const { rolloutId, refused: noted } = rolloutDecisions
  const late = await db.$count(rolloutDecisions, and(eq(rolloutId, row.id), isNotNull(noted)))
  if (late >= lateEntries) return
  const { stage, evidence } = standingOf(row)
  await db.insert(rolloutDecisions).values({
    id: newId(),
    rolloutId: row.id,
    turn: row.turn,
    at: now,
    stage,
    evidence,
    action,
    reason: 'a-person',
    metric: null,
    slice: null,
    state: row.state,
    byId: by.id,
    byName: by.name,
    comment: comment ?? null,
    refused,
    findings: [],
  })
}

const sentences: Record<ActRefusal, string> = {
  'changed-meanwhile': 'A member or the guard decided in between: reload.',
  ended: 'The rollout has ended.',
  'not-possible-now': 'Not possible in its current state.',
  'not-seen': 'The guard has no data of both arms, so the rollout cannot advance.',
  'approval-by-another': 'Another member than the one who started it must approve.',
  'has-regressed': 'A harmful rollout must be rolled back, not cancelled.',
  'budget-spent':
    'The budget of harm of this month is spent, and rollouts wait: a maintainer may continue with a reason.',
}

function refusalOf({ refused, current }: { refused: ActRefusal; current: Rollout }): Problem {
  const detail = `${sentences[refused]} It is ${current.state}.`
  if (refused === 'changed-meanwhile') return problem('version-conflict', { detail, current })
  if (refused === 'approval-by-another') return problem('forbidden', detail)
  if (refused === 'budget-spent') return problem('budget-spent', { detail, current })
  return problem('wrong-state', { detail, current })
}
