// The compiled rule sets of all environments requested so far, in memory. They follow the commits of all
// servers by reading the announced changes; after a gap, everything is read. They are served even while
// PostgreSQL is unavailable.

import type { StoredFiles } from '../../platform/data-folder/stored-file.ts'
import type { Announcement } from '../../platform/engines/postgres/announcements.ts'
import { isUnavailable } from '../../platform/engines/postgres/open.ts'
import { createRefresher } from '../../platform/refresher.ts'
import type { Services } from '../../platform/services.ts'
import { editRuleSet, emptyRuleSet, type RuleSetChange, type ServedRuleSet } from './build-rule-set.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { addPending, isPending, nothingPending, type PendingChanges, putBack } from './pending-changes.ts'
import { type HeldIds, readChanges, readEverything } from './read-changes.ts'
import { findEdit, type RuleSetEdit, type RuleSetSource } from './rule-set-edit.ts'
import { readRuleSetFile } from './rule-set-file.ts'
import { wholeText } from './rule-set-text.ts'

export interface RuleSets {
  /** From memory only. */
  find(environmentId: string): ServedRuleSet | undefined
  /** From memory, else from PostgreSQL, else from disk. */
  get(environmentId: string): Promise<ServedRuleSet>
  stop(): void
}

interface RuleSetsOptions {
  files: StoredFiles
  environmentsOf(projectId: string): Set<string>
  onChange(environmentId: string, change: RuleSetChange): void
}

/** One environment. */
interface Follower {
  held(): ServedRuleSet | undefined
  first(): Promise<ServedRuleSet>
  hear(announcement: Announcement): void
  readAll(): void
  settle(): Promise<void>
  writeCopy(): Promise<void>
  stop(): void
}

export function createRuleSets(services: Services, options: RuleSetsOptions): RuleSets {
  const { announcements } = services
  const followers = new Map<string, Follower>()
  const loading = new Map<string, Promise<ServedRuleSet>>()

  const followerOf = (id: string) => {
    const follower = followers.get(id) ?? createFollower(services, options, id)
    followers.set(id, follower)
    return follower
  }
  const get = async (id: string) => {
    const known = followers.get(id)?.held()
    if (known !== undefined) return known
    const started =
      loading.get(id) ??
      followerOf(id)
        .first()
        .finally(() => loading.delete(id))
    loading.set(id, started)
    return started
  }
  const unsubscribe = announcements.subscribe({
    onChange: (announcement) => {
      const { project, environment } = announcement
      const touched = environment
        ? [environment]
        : project
          ? options.environmentsOf(project)
          : followers.keys()
      for (const id of touched) followers.get(id)?.hear(announcement)
    },
    onGap: () => {
      for (const follower of followers.values()) follower.readAll()
    },
    settle: async () => {
      await Promise.all([...followers.values()].map((follower) => follower.settle()))
    },
    writeCopies: async () => {
      // Environments without a request since startup are not followed, so their copies date from their last
      // use.
      for (const name of await options.files.list()) {
        const id = environmentOf(name)
        if (id !== undefined) await get(id)
      }
      await Promise.all([...followers.values()].map((follower) => follower.writeCopy()))
    },
  })

  return {
    find: (id) => followers.get(id)?.held(),
    get,
    stop() {
      unsubscribe()
      for (const follower of followers.values()) follower.stop()
    },
  }
}

function createFollower(services: Services, { files, onChange }: RuleSetsOptions, id: string): Follower {
  const { db, clock, log, announcements } = services
  let held: ServedRuleSet | undefined
  /** Undefined while the rule set comes from disk, where ids are not stored. */
  let ids: HeldIds | undefined
  let pending = nothingPending()
  const keeper: Keeper = createKeeper(services, async () => {
    if (held !== undefined) await files.write(fileOf(id), await wholeText(held))
  })

  const take = (previous: ServedRuleSet, edit: RuleSetEdit) => {
    const { next, change } = editRuleSet(previous, edit, clock().getTime())
    const isFirst = held === undefined
    held = next
    if (isFirst || next !== previous) keeper.request()
    if (!isFirst && change !== undefined) onChange(id, change)
    return next
  }
  const takeWhole = async (source: RuleSetSource) => {
    const previous = held ?? emptyRuleSet(source.environment, clock().getTime())
    return take(previous, await findEdit(previous, source))
  }
  const readAll = async () => {
    const { source, ids: found } = await readEverything(db, id)
    const next = await takeWhole(source)
    ids = found
    return next
  }
  /** Reads announced changes, and returns a function that applies them. */
  const readAnnounced = async (taken: PendingChanges): Promise<() => Promise<unknown>> => {
    const [base, known] = [held, ids]
    if (taken.everything || base === undefined || known === undefined) {
      const { source, ids: found } = await readEverything(db, id)
      return async () => {
        await takeWhole(source)
        ids = found
      }
    }
    const read = await readChanges(db, { environmentId: id, ids: known, pending: taken })
    return async () => {
      take(base, read.edit)
      ids = read.ids
    }
  }
  const refresher = createRefresher(services, 'reading the rule set of an environment', async () => {
    for (let attempt = 1; ; attempt++) {
      // A transaction announces each change separately; all of them must be received before reading.
      await announcements.caughtUp()
      const taken = pending
      pending = nothingPending()
      if (!isPending(taken)) return
      try {
        const takeIn = await readAnnounced(taken)
        await announcements.caughtUp()
        // Changes committed meanwhile may have been read in part: read all of them again, together.
        if (!isPending(pending) || attempt === attemptsForOneMoment) {
          await takeIn()
          return
        }
        putBack(pending, taken)
      } catch (error) {
        putBack(pending, { ...taken, everything: true })
        throw error
      }
    }
  })
  const requestAll = () => {
    pending.everything = true
    refresher.request()
  }

  return {
    held: () => held,
    async first() {
      try {
        const served = await readAll()
        if (isPending(pending)) refresher.request()
        return served
      } catch (error) {
        if (!isUnavailable(error)) throw error
        const source = readRuleSetFile(await files.read(fileOf(id)))
        if (source === undefined) throw error
        log.warn({ environment: id }, 'PostgreSQL is unavailable: serving flags from the copy on disk')
        const served = await takeWhole(source)
        requestAll()
        return served
      }
    },
    hear(announcement) {
      // Changes during the first read are read after it.
      if (addPending(pending, announcement) && held !== undefined) refresher.request()
    },
    readAll: () => (held === undefined ? undefined : requestAll()),
    settle: refresher.idle,
    writeCopy: keeper.finish,
    stop() {
      refresher.stop()
      keeper.stop()
    },
  }
}

/** Under continuous changes, the result is applied after this many reads. */
const attemptsForOneMoment = 4

function fileOf(environmentId: string): string {
  return `${environmentId}.json`
}

function environmentOf(name: string): string | undefined {
  return /^([\da-f-]{36})\.json$/.exec(name)?.[1]
}
