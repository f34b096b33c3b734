// Parts of a configuration that cannot change during a rollout unless the caller acknowledges that its evidence
// ends.

import { findTouched, type GuardedPart, segmentsAbove } from '@telltale/core/changes/guarded-parts'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { poolOf } from '@telltale/core/evaluation/stage-weights'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { type FlagRow, getConfig } from '../../release/flags/queries.ts'
import { findChangedValues } from '../../release/flags/refuse-protected-use.ts'
import { findRunning, type PlacedRollout } from './queries.ts'
import { restartEvidence } from './restart-evidence.ts'

export interface TouchedRollout {
  placed: PlacedRollout
  parts: GuardedPart[]
}

/** The rollouts of one flag that a change of its configuration affects. */
export function touchedByConfig(
  running: readonly PlacedRollout[],
  before: FlagConfigDraft,
  after: FlagConfigDraft,
): TouchedRollout[] {
  return running
    .map((placed) => ({ placed, parts: findTouched(before, after, placed.row.place) }))
    .filter(({ parts }) => parts.length > 0)
}

/** Rollouts of other flags that have this flag as a prerequisite. */
export async function touchedByPrerequisite(
  db: Queryable,
  { environmentId, flag }: { environmentId: string; flag: Pick<FlagRow, 'id' | 'key'> },
): Promise<TouchedRollout[]> {
  const others = (await findRunning(db, { environmentId })).filter(({ row }) => row.flagId !== flag.id)
  const found: TouchedRollout[] = []
  for (const placed of others) {
    const { prerequisites } = await getConfig(db, placed.row)
    const standsOnIt = prerequisites.some((prerequisite) => prerequisite.flag === flag.key)
    if (standsOnIt) found.push({ placed, parts: ['prerequisites'] })
  }
  return found
}

/** Rollouts whose split is reached through this segment. */
export async function touchedBySegment(
  db: Queryable,
  { projectId, segment }: { projectId: string; segment: string },
): Promise<TouchedRollout[]> {
  const found: TouchedRollout[] = []
  for (const placed of await findRunning(db, { projectId })) {
    const config = draftOf(await getConfig(db, placed.row))
    if (segmentsAbove(config, placed.row.place).has(segment)) found.push({ placed, parts: ['segments'] })
  }
  return found
}

/**
 * Rollouts that compare a variation whose value changes, or whose flag becomes visible or invisible to
 * browsers.
 */
export async function touchedByFlag(
  db: Queryable,
  before: FlagRow,
  after: FlagRow,
): Promise<TouchedRollout[]> {
  const isShownAnew = before.clientVisible !== after.clientVisible
  const changed = findChangedValues(before, after)
  if (changed.size === 0 && !isShownAnew) return []
  const running = await findRunning(db, { flagId: before.id })
  return running
    .filter(({ row }) => isShownAnew || changed.has(row.control) || changed.has(row.treatment))
    .map((placed) => ({ placed, parts: ['values'] }))
}

/** Throws `guard-running` with every rollout whose end of evidence was not acknowledged. */
export function refuseLocked(
  touched: readonly TouchedRollout[],
  endsEvidenceOf: readonly string[] | undefined,
): void {
  const locked = touched.filter(({ placed }) => !endsEvidenceOf?.includes(placed.row.id))
  if (locked.length === 0) return
  const reasons = locked.map(({ placed, parts }) => `${nameOf(placed)} depends on this (${parts.join(', ')})`)
  throw problem('guard-running', {
    detail: `${reasons.join('; ')}. Send the change again with its id in endsEvidenceOf to restart its evidence.`,
    rollouts: locked.map(({ placed, parts }) => ({ ...whereOf(placed), parts })),
  })
}

/** The changed split must still allow the rollout to continue. Throws `guard-running`. */
export function refuseBroken(running: readonly PlacedRollout[], after: FlagConfigDraft): void {
  for (const placed of running) {
    const { place, treatment, control, overlay } = placed.row
    const serve =
      place === 'fallthrough' ? after.fallthrough : after.rules.find(({ id }) => id === place)?.serve
    const arms = serve !== undefined && 'split' in serve ? serve.split : []
    const hasControl = arms.some(({ variation }) => variation === control)
    const served = overlay?.arms.find(({ variation }) => variation === treatment)?.weight ?? 0
    if (hasControl && poolOf(arms, { control, treatment }) >= served) continue
    throw problem('guard-running', {
      detail: `${nameOf(placed)} needs its split: roll it back or cancel it first.`,
      rollouts: [{ ...whereOf(placed), parts: ['split'] }],
    })
  }
}

/** Ends the evidence of each rollout and restarts it. */
export async function endEvidence(
  context: ChangeContext,
  touched: readonly TouchedRollout[],
): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const { placed, parts } of touched) {
    changes.push(...(await restartEvidence(context, placed, { comment: `Changed: ${parts.join(', ')}.` })))
  }
  return changes
}

function nameOf({ flag, environment, row }: PlacedRollout): string {
  return `The rollout of "${row.treatment}" of "${flag.key}" in ${environment.key}`
}

function whereOf({ flag, environment, row }: PlacedRollout) {
  return { id: row.id, flag: flag.key, env: environment.key }
}
