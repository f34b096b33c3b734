// Reads only what was announced, and turns it into an edit of the rule set in memory.

import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'
import {
  loadFlags,
  loadOverrides,
  loadRuleSet,
  loadSegments,
  loadSomeOverrides,
} from '../flags/load-rule-set.ts'
import { fillTable, noOverrides, type OverrideTable } from './override-table.ts'
import type { PendingChanges } from './pending-changes.ts'
import { noEdit, type OverrideEdit, type RuleSetEdit, type RuleSetSource } from './rule-set-edit.ts'

/**
 * The keys of flags and segments in memory by id, because a deletion is announced by an id that the database no
 * longer has.
 */
export interface HeldIds {
  flags: Map<string, string>
  segments: Map<string, string>
}

export async function readEverything(
  db: Db,
  environmentId: string,
): Promise<{ source: RuleSetSource; ids: HeldIds }> {
  const { environment, flags, segments, overrides } = await loadRuleSet(db, environmentId)
  return {
    source: {
      environment,
      flags: flags.map(({ flag }) => flag),
      segments: segments.map(({ segment }) => segment),
      overrides,
    },
    ids: {
      flags: new Map(flags.map(({ id, flag }) => [id, flag.key])),
      segments: new Map(segments.map(({ id, segment }) => [id, segment.key])),
    },
  }
}

/** A consistent snapshot, with the ids in memory after it. */
export async function readChanges(
  db: Db,
  { environmentId, ids, pending }: { environmentId: string; ids: HeldIds; pending: PendingChanges },
): Promise<{ edit: RuleSetEdit; ids: HeldIds }> {
  const next = { flags: new Map(ids.flags), segments: new Map(ids.segments) }
  const edit = await db.transaction(
    (transaction) => readEdit(transaction, { environmentId, ids: next, pending }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  return { edit, ids: next }
}

async function readEdit(
  db: Queryable,
  { environmentId, ids, pending }: { environmentId: string; ids: HeldIds; pending: PendingChanges },
): Promise<RuleSetEdit> {
  const edit = { ...noEdit }
  if (pending.segments.size > 0) {
    const found = await loadSegments(db, environmentId, [...pending.segments])
    edit.segments = found.map(({ segment }) => segment)
    const present = found.map(({ id, segment }) => [id, segment.key] as const)
    edit.removedSegments = replaceIds(ids.segments, pending.segments, present)
  }
  if (pending.flags.size > 0) {
    const found = await loadFlags(db, environmentId, [...pending.flags])
    // A flag that is new or restored is read with its overrides.
    const added = found.filter(({ id }) => !ids.flags.has(id))
    const loaded = await loadOverrides(db, { environmentId, flags: added })
    const tables = new Map<string, OverrideTable>()
    for (const { flag } of added) {
      const overrides = loaded.get(flag.key)
      tables.set(flag.key, overrides ? await fillTable(overrides, createYielder()) : noOverrides)
    }
    edit.flags = found.map(({ flag }) => flag)
    edit.tables = tables
    const present = found.map(({ id, flag }) => [id, flag.key] as const)
    edit.removedFlags = replaceIds(ids.flags, pending.flags, present)
  }
  const overrides: OverrideEdit[] = []
  for (const [flagId, targetingKeys] of pending.overrides) {
    const flag = ids.flags.get(flagId)
    if (flag === undefined) continue
    const found = await loadSomeOverrides(db, { environmentId, flagId }, targetingKeys)
    for (const targetingKey of targetingKeys) {
      overrides.push({ flag, targetingKey, variation: found.get(targetingKey) })
    }
  }
  return { ...edit, overrides }
}

/** Removed keys: their ids are no longer found, and no other id has taken over the key. */
function replaceIds(
  ids: Map<string, string>,
  requested: ReadonlySet<string>,
  present: readonly (readonly [id: string, key: string])[],
): string[] {
  const here = new Map(present)
  const taken = new Set(here.values())
  const gone: string[] = []
  for (const [id, key] of here) {
    // Deleted and recreated: the old id must not remove the new flag later.
    for (const [other, held] of ids) if (held === key && other !== id) ids.delete(other)
    ids.set(id, key)
  }
  for (const id of requested) {
    const key = ids.get(id)
    if (here.has(id) || key === undefined) continue
    ids.delete(id)
    if (!taken.has(key)) gone.push(key)
  }
  return gone
}
