// The rule set of every environment that was asked for, compiled and in memory. It follows what any server commits, and
// goes on being served while PostgreSQL is away.

import { isUnavailable } from '../engines/postgres/open.ts'
import { loadRuleSet } from '../flags/load-rule-set.ts'
import type { Services } from '../services.ts'
import { buildRuleSet, type RuleSetChange, type ServedRuleSet } from './build-rule-set.ts'
import { createRefresher, type Refresher } from './refresher.ts'
import { type RuleSetSource, readRuleSetFile, toSource } from './rule-set-file.ts'
import type { StoredFiles } from './stored-file.ts'

export interface RuleSets {
  /** What is in memory. */
  find(environmentId: string): ServedRuleSet | undefined
  /** From memory, else from PostgreSQL, else from the disk. */
  get(environmentId: string): Promise<ServedRuleSet>
  stop(): void
}

interface RuleSetsOptions {
  files: StoredFiles
  environmentsOf(projectId: string): Set<string>
  onChange(environmentId: string, change: RuleSetChange): void
}

const kinds = new Set(['flag', 'flag-config', 'segment', 'override', 'environment', 'project'])

export function createRuleSets(services: Services, options: RuleSetsOptions): RuleSets {
  const { db, announcements, background, clock, log } = services
  const { files, environmentsOf, onChange } = options
  const held = new Map<string, ServedRuleSet>()
  const loading = new Map<string, Promise<ServedRuleSet>>()
  const refreshers = new Map<string, Refresher>()

  const keep = (id: string, { text }: ServedRuleSet) =>
    background(files.write(fileOf(id), text), 'keeping the rule set of an environment on disk')

  const take = (id: string, source: RuleSetSource) => {
    const previous = held.get(id)
    const { next, change } = buildRuleSet(source, { previous, now: clock().getTime() })
    held.set(id, next)
    if (next !== previous) keep(id, next)
    if (change !== undefined) onChange(id, change)
    return next
  }

  const load = async (id: string) => {
    const { definition, flags } = await loadRuleSet(db, id)
    return take(id, toSource(definition, flags))
  }

  const refresherOf = (id: string) => {
    const known = refreshers.get(id)
    if (known !== undefined) return known
    const refresher = createRefresher(services, 'reading the rule set of an environment', async () => {
      await load(id)
    })
    refreshers.set(id, refresher)
    return refresher
  }

  const loadFirst = async (id: string) => {
    // Changes that are announced while it is read are read afterwards.
    const refresher = refresherOf(id)
    try {
      return await load(id)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const source = readRuleSetFile(await files.read(fileOf(id)))
      if (source === undefined) throw error
      log.warn({ environment: id }, 'PostgreSQL is away: serving flags as they were kept on disk')
      const served = take(id, source)
      refresher.request()
      return served
    }
  }

  const unsubscribe = announcements.subscribe({
    onChange: ({ entity, project, environment }) => {
      if (!kinds.has(entity)) return
      const touched = environment ? [environment] : project ? environmentsOf(project) : refreshers.keys()
      for (const id of touched) refreshers.get(id)?.request()
    },
    onGap: () => {
      for (const refresher of refreshers.values()) refresher.request()
    },
  })

  return {
    find: (id) => held.get(id),
    async get(id) {
      const known = held.get(id)
      if (known !== undefined) return known
      const started = loading.get(id) ?? loadFirst(id).finally(() => loading.delete(id))
      loading.set(id, started)
      return started
    },
    stop() {
      unsubscribe()
      for (const refresher of refreshers.values()) refresher.stop()
    },
  }
}

function fileOf(environmentId: string): string {
  return `${environmentId}.json`
}
