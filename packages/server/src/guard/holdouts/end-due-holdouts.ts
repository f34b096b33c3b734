// Ends the holdouts whose planned days are over, and starts the next of those that repeat. On any number of servers: each is
// checked again under the lock of its project.

import type { HoldoutResults } from '@telltale/core/contract/holdouts'
import { problem } from '@telltale/core/errors'
import { isKey, keyLength } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { retryPause } from '../../platform/process/retry-pause.ts'
import type { Services } from '../../platform/services.ts'
import { writeEnd } from './end-holdout.ts'
import { holdoutChange, overAtOf } from './holdout.ts'
import { newUsers } from './new-users.ts'
import {
  type DueHoldout,
  findDueHoldouts,
  findFlagKeys,
  findHoldouts,
  getHoldout,
  type PlacedHoldout,
} from './queries.ts'
import { readHoldoutResults } from './read-holdout-results.ts'

const schedule: AuditActor = { kind: 'system', id: null, name: 'schedule' }

interface Failures {
  count: number
  /** Until when it is left alone. */
  until: number
}

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

/** By id: holdouts that could not be ended. */
export type FailedEnds = Map<string, Failures>

export function createEndDueHoldouts(services: Needed): () => Promise<void> {
  const failed: FailedEnds = new Map()
  return () => endDueHoldouts(services, failed)
}

/** One that cannot be measured now is tried again, after longer pauses: it goes on until its results are kept. */
export async function endDueHoldouts(services: Needed, failed: FailedEnds = new Map()): Promise<void> {
  const { db, telemetry, clock, log } = services
  if (!isUsable(telemetry.state().state)) return
  // Sequentially, to spare the shared engine.
  const all = await findDueHoldouts(db, clock())
  const ids = new Set(all.map(({ placed }) => placed.row.id))
  for (const id of failed.keys()) if (!ids.has(id)) failed.delete(id)
  for (const due of all) {
    const { id, key } = due.placed.row
    const before = failed.get(id)
    if (before !== undefined && clock().getTime() < before.until) continue
    try {
      const results = await readHoldoutResults(services, due.placed)
      await endDue(db, { actor: schedule, requestId: null, now: clock() }, { due, results })
    } catch (error) {
      const count = before?.count ?? 0
      const pause = retryPause(count, { first: limits.holdoutPoll, longest: limits.holdoutRetryMaximum })
      failed.set(id, { count: count + 1, until: clock().getTime() + pause })
      log.warn({ err: error, holdout: key }, 'a holdout could not be ended')
    }
  }
}

interface DueEnd {
  due: DueHoldout
  results: HoldoutResults
}

const endDue = change(async (context, { due: { project, placed }, results }: DueEnd) => {
  await lockProject(context.db, project.id)
  const before = await getHoldout(context.db, project.id, placed.row.key)
  if (!isDue(before, context.now)) return { reply: null, changes: [] }
  const ended = await writeEnd(context, before, results)
  const next = before.row.whenOver === 'repeat' ? await startNext(context, before) : undefined
  return {
    reply: null,
    changes: [
      ...holdoutChange('end', { project, before, after: ended }),
      ...(next === undefined ? [] : holdoutChange('start', { project, after: next })),
    ],
  }
})

function isDue({ row }: PlacedHoldout, now: Date): boolean {
  const over = overAtOf(row)
  return row.state === 'running' && row.whenOver !== 'continue' && over !== undefined && over <= now
}

/** Other users, with everything else as it was, so that both can be compared. None without a flag to cover. */
async function startNext(
  { db, now, actor }: ChangeContext,
  { row, environment }: PlacedHoldout,
): Promise<PlacedHoldout | undefined> {
  const known = await findFlagKeys(db, row.projectId)
  const covered = known.filter(({ id, archivedAt }) => archivedAt === null && row.flagIds?.includes(id))
  if (row.flagIds !== null && covered.length === 0) return undefined
  const all = await findHoldouts(db, row.projectId, undefined)
  const { key, number } = nextKey(row, new Set(all.map((one) => one.row.key)))
  const next = {
    ...row,
    ...newUsers(),
    ...{ id: newId(), key, name: numbered(row, number), state: 'running' as const, follows: row.key },
    ...{ results: null, createdBy: actor.name, endedBy: null, createdAt: now, updatedAt: now, endedAt: null },
  }
  await db.insert(holdouts).values(next)
  return { row: next, environment }
}

/** `quarter`, `quarter-2`, `quarter-3`. */
function nextKey(
  { key, follows }: PlacedHoldout['row'],
  taken: ReadonlySet<string>,
): { key: string; number: number } {
  const [, base = key, last = '1'] = (follows !== null && /^(.+)-(\d+)$/.exec(key)) || []
  const first = Number(last) + 1
  for (let number = first; number <= first + taken.size; number += 1) {
    const end = `-${number}`
    const candidate = `${base.slice(0, keyLength - end.length)}${end}`
    if (isKey(candidate) && !taken.has(candidate)) return { key: candidate, number }
  }
  throw problem('internal')
}

/** `Quarter (2)`. */
function numbered({ name, follows }: PlacedHoldout['row'], number: number): string {
  const base = follows === null ? name : name.replace(/ \(\d+\)$/, '')
  const end = ` (${number})`
  return `${base.slice(0, limits.nameLength - end.length)}${end}`
}
