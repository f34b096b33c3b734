// Flag changes of the last two days by environment, in memory: loaded when a page first reports a flag, and reloaded
// after every announced change. While PostgreSQL is unavailable, the loaded history stays in use; an unknown flag then
// has no variation until it is back.

import { changesOf, ruleSetAt } from '@telltale/core/evaluation/flag-past'
import type { RuleSet } from '@telltale/core/evaluation/rule-set'
import { type VariationsByValue, variationsByValue } from '@telltale/core/evaluation/variations-of-value'
import { limits } from '@telltale/core/limits'
import { LRUCache } from 'lru-cache'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { addPending, nothingPending } from '../../release/delivery/pending-changes.ts'
import { type LoadedPasts, loadFlagPasts } from './load-flag-pasts.ts'

export interface KnownFlag {
  id: string
  byValue: VariationsByValue
  hasOverrides: boolean
  /** The times at which its configuration changed, in order. */
  changes: readonly number[]
  ruleSetAt(at: number): RuleSet
}

export interface FlagHistory {
  find(flag: string): KnownFlag | undefined
}

interface FlagHistories {
  /** Includes these flags, as far as they exist. */
  open(environment: PlacedEnvironment, flags: Iterable<string>): Promise<FlagHistory>
  stop(): void
}

interface PlacedEnvironment {
  id: string
  projectId: string
}

interface Held extends LoadedPasts {
  projectId: string
  requested: Set<string>
  flags: Map<string, KnownFlag>
  /** A change was announced since it was loaded. */
  isStale: boolean
}

const environmentsHeld = 500
/**
 * After this time it is reloaded without the flags that are no longer used, for example where a page uses user IDs as
 * flag keys.
 */
const flagsHeld = 2 * limits.flagsPerProject
const ruleSetsHeld = 64
/** Concurrent calls may have requested other flags. */
const triesToRead = 4

export function createFlagHistories({
  db,
  announcements,
  clock,
  log,
}: Pick<Services, 'db' | 'announcements' | 'clock' | 'log'>): FlagHistories {
  const held = new LRUCache<string, Held>({ max: environmentsHeld })
  const loading = new Map<string, Promise<boolean>>()
  /** Counts announced changes. */
  let heard = 0
  const unsubscribe = announcements.subscribe({
    onChange: (announcement) => {
      if (!addPending(nothingPending(), announcement)) return
      heard += 1
      const { environment, project } = announcement
      for (const [id, each] of held.entries()) {
        if (environment === id || (environment === null && project === each.projectId)) each.isStale = true
      }
    },
    onGap: () => {
      heard += 1
      for (const each of held.values()) each.isStale = true
    },
  })

  /** False when PostgreSQL did not answer. */
  const load = async (environment: PlacedEnvironment, flags: readonly string[]): Promise<boolean> => {
    const before = held.get(environment.id)
    const isTooMuch = before !== undefined && before.requested.size > flagsHeld
    const kept = before === undefined || before.isStale || isTooMuch ? undefined : before
    const requested = new Set([...(before === undefined || isTooMuch ? [] : before.requested), ...flags])
    const keys = [...requested].filter((flag) => kept?.requested.has(flag) !== true)
    const since = new Date(clock().getTime() - limits.eventAgeMaximum - limits.monitoredSessionMaximum)
    const heardBefore = heard
    try {
      const found = await loadFlagPasts(db, { environment, keys, since })
      const pasts = new Map([...(kept?.pasts ?? []), ...found.pasts])
      const next: Held = {
        ...found,
        pasts,
        projectId: environment.projectId,
        requested,
        flags: new Map(),
        isStale: false,
      }
      for (const key of pasts.keys()) next.flags.set(key, kept?.flags.get(key) ?? knownFlag(next, key))
      next.isStale = heard !== heardBefore
      held.set(environment.id, next)
      return true
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'flag histories could not be read: exposures have no arms')
      return false
    }
  }

  return {
    async open(environment, flags) {
      const wanted = [...new Set(flags)]
      const isComplete = () => {
        const known = held.get(environment.id)
        return known !== undefined && !known.isStale && wanted.every((flag) => known.requested.has(flag))
      }
      for (let tries = 0; tries < triesToRead && !isComplete(); tries++) {
        const mine =
          loading.get(environment.id) ??
          load(environment, wanted).finally(() => loading.delete(environment.id))
        loading.set(environment.id, mine)
        if (!(await mine)) break
      }
      return { find: (flag) => held.get(environment.id)?.flags.get(flag) }
    },
    stop: unsubscribe,
  }
}

function knownFlag(held: Held, key: string): KnownFlag {
  const past = held.pasts.get(key)
  const changes = changesOf(held.pasts, key)
  const ruleSets = new LRUCache<number, RuleSet>({ max: ruleSetsHeld })
  return {
    id: past?.id ?? '',
    byValue: variationsByValue({ variations: past?.flag.variations ?? [] }),
    hasOverrides: past?.hasOverrides ?? false,
    changes,
    ruleSetAt(at) {
      const index = changes.findLastIndex((moment) => moment <= at)
      const known = ruleSets.get(index)
      if (known !== undefined) return known
      const made = ruleSetAt(held.pasts, { flag: key, at, segments: held.segments })
      ruleSets.set(index, made)
      return made
    },
  }
}
