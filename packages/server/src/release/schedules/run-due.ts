// Applies due changes in the order of their time, on any number of servers: each is checked again under the
// lock of its project, so that only one server applies it, and no later change is applied first.

import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import { type Db, isUnavailable } from '../../platform/engines/postgres/open.ts'
import type { Log } from '../../platform/process/log.ts'
import { applyDueRequest, missDueRequest } from '../change-requests/apply-due-request.ts'
import { findDueRequest } from '../change-requests/queries.ts'
import type { ReleasePolicy, ReviewConfig } from '../flags/policy.ts'
import { applyScheduledChange, failScheduledChange } from './apply-scheduled-change.ts'
import { findDueChange } from './queries.ts'

interface Due {
  at: Date
  id: string
  apply(): Promise<unknown>
  fail(failure: string): Promise<unknown>
}

interface Surroundings {
  db: Db
  policy: Pick<ReleasePolicy, 'reviewConfig'>
  clock(): Date
  log: Log
}

const schedule: AuditActor = { kind: 'system', id: null, name: 'schedule' }

/** The maximum per run; the rest is applied in the next one. */
const atOnce = 1_000

export async function runDue({ db, policy, clock, log }: Surroundings): Promise<void> {
  for (let done = 0; done < atOnce; done += 1) {
    const now = clock()
    const due = await findNext(db, policy.reviewConfig, now)
    if (due === undefined) return
    await run(due, { now, log })
  }
}

async function findNext(db: Db, review: ReviewConfig, now: Date): Promise<Due | undefined> {
  const [change, request] = [await findDueChange(db, now), await findDueRequest(db, now)]
  const origin = (actor: AuditActor): ChangeOrigin => ({ actor, requestId: null, now })
  if (change && (!request || change.at <= request.at)) {
    return {
      ...change,
      apply: () => applyScheduledChange(db, origin(change.author), { ...change, review }),
      fail: (failure) => failScheduledChange(db, origin(schedule), { ...change, failure }),
    }
  }
  if (!request) return undefined
  return {
    ...request,
    apply: () => applyDueRequest(db, origin(schedule), { ...request, review }),
    fail: (failure) => missDueRequest(db, origin(schedule), { ...request, failure }),
  }
}

async function run(due: Due, { now, log }: { now: Date; log: Log }): Promise<void> {
  try {
    await due.apply()
  } catch (error) {
    if (error instanceof Problem) await due.fail(explain(error))
    else if (isUnavailable(error) || now.getTime() - due.at.getTime() < limits.scheduleRetry) throw error
    else {
      log.error({ err: error, id: due.id }, 'a scheduled change failed')
      await due.fail('Internal error. See the server log.')
    }
  }
}

function explain({ message, context }: Problem): string {
  const faults = context.errors?.map((fault) => `${fault.pointer} ${fault.message}`) ?? []
  return [message, ...faults].join(' · ').slice(0, limits.descriptionLength)
}
