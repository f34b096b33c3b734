import type { BodyOf } from '@telltale/core/contract/call'
import type { setHarmBudget as setHarmBudgetCall } from '@telltale/core/contract/ledger'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockEnvironment } from '../../organisation/environments/queries.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { harmBudgets } from '../../platform/engines/postgres/ledger-schema.ts'
import { findBudget, type HarmBudgetRow } from './queries.ts'

interface BudgetRef {
  project: { id: string; key: string }
  env: string
}

type BudgetSetting = BudgetRef & { given: BodyOf<typeof setHarmBudgetCall> }

/** Throws `not-found`, and `invalid-request` for a share above 1. */
export const setBudget = change(async ({ db, now, actor }, { project, env, given }: BudgetSetting) => {
  const { amount, unit, policy, reason } = given
  if (unit === 'share' && amount > 1)
    throw problem('invalid-request', { errors: [{ pointer: '/amount', message: 'must be at most 1' }] })
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const before = await findBudget(db, environment.id)
  const after = { amount, unit, policy, updatedBy: actor.name, updatedAt: now }
  await db
    .insert(harmBudgets)
    .values({ ...after, environmentId: environment.id })
    .onConflictDoUpdate({ target: harmBudgets.environmentId, set: after })
  return { reply: null, changes: [budgetChange('set', { project, environment, before, after, reason })] }
})

/** Throws `not-found`. */
export const deleteBudget = change(async ({ db }, { project, env }: BudgetRef) => {
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const before = await findBudget(db, environment.id)
  if (before === undefined) return { reply: null, changes: [] }
  await db.delete(harmBudgets).where(eq(harmBudgets.environmentId, environment.id))
  return { reply: null, changes: [budgetChange('delete', { project, environment, before })] }
})

type Audited = Pick<HarmBudgetRow, 'amount' | 'unit' | 'policy'>

interface BudgetChange {
  project: { id: string; key: string }
  environment: { id: string; key: string }
  before?: Audited | undefined
  after?: Audited
  reason?: string | undefined
}

function budgetChange(
  action: 'set' | 'delete',
  { project, environment, before, after, reason }: BudgetChange,
): EntityChange {
  const { id, key } = environment
  return {
    action: `harm-budget.${action}`,
    entity: { kind: 'environment', id, name: key },
    project,
    environment: { id, key },
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
    ...(reason !== undefined && { reason }),
  }
}

const audited = ({ amount, unit, policy }: Audited) => ({ amount, unit, policy })
