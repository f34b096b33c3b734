// The rule set of one environment, as the server delivers it: a stream signals changes, requests fetch them as deltas.
// Compiled by the server's own code, so that an edge gives the same answers.

import type { RuleSetDelta } from '@telltale/core/contract/rule-set-file'
import type { Fetched, Server } from '@telltale/node/fetch-rule-set'
import { type Follower, follow, type Timing } from '@telltale/node/follow'
import { createYielder } from '../../platform/process/create-yielder.ts'
import type { Log } from '../../platform/process/log.ts'
import {
  editRuleSet,
  emptyRuleSet,
  type RuleSetChange,
  type ServedRuleSet,
} from '../../release/delivery/build-rule-set.ts'
import { fillTable } from '../../release/delivery/override-table.ts'
import {
  findEdit,
  noEdit,
  type RuleSetEdit,
  type RuleSetSource,
} from '../../release/delivery/rule-set-edit.ts'
import { readRuleSetFile } from '../../release/delivery/rule-set-file.ts'

export interface FollowedRules {
  served(): ServedRuleSet | undefined
  /** From the disk, before the first answer of the server. */
  start(source: RuleSetSource): Promise<void>
  follow(timing?: Timing): void
  stop(): void
}

interface RulesOptions {
  server: Server
  log: Log
  now(): number
  onChange(served: ServedRuleSet, change: RuleSetChange | undefined): void
  /** The server confirmed that the rule set is current, or could not be asked. */
  onContact(fault: Error | undefined): void
}

export function createFollowedRules({ server, log, now, onChange, onContact }: RulesOptions): FollowedRules {
  let served: ServedRuleSet | undefined
  /** The server's name for it; ours differs only if the server writes rule sets in another way. */
  let version: string | undefined
  let stopFollowing: () => void = () => undefined

  const apply = (edit: RuleSetEdit, environment: string) => {
    const previous = served ?? emptyRuleSet(environment, now())
    const { next, change } = editRuleSet(previous, edit, now())
    const isNews = next !== served
    served = next
    if (isNews) onChange(next, change)
  }
  const applyWhole = async (source: RuleSetSource) => {
    const previous = served ?? emptyRuleSet(source.environment, now())
    apply(await findEdit(previous, source), source.environment)
  }
  const takeWhole = async (file: unknown, given: string) => {
    const source = readRuleSetFile(file)
    if (source === undefined) throw new Error(`${server.url} sent a rule set that this version cannot read.`)
    await applyWhole(source)
    version = given
    if (served?.version !== given)
      log.warn(
        { environment: source.environment },
        'the server names the rule set differently: update the edge',
      )
  }
  const takeDelta = async (delta: RuleSetDelta) => {
    if (served === undefined || delta.since !== version) return false
    apply(await editOf(delta), delta.environment)
    version = delta.version
    // Otherwise everything is read.
    return served.version === delta.version
  }
  const follower: Follower = {
    version: () => version,
    async take(fetched: Fetched) {
      if (fetched.kind === 'unchanged') return true
      if (fetched.kind === 'delta') return takeDelta(fetched.delta)
      await takeWhole(fetched.file, fetched.file.version)
      return true
    },
    settle: () => onContact(undefined),
    fail: onContact,
  }

  return {
    served: () => served,
    async start(source) {
      await applyWhole(source)
      version = served?.version
    },
    follow(timing) {
      stopFollowing = follow(server, follower, timing)
    },
    stop: () => stopFollowing(),
  }
}

async function editOf(delta: RuleSetDelta): Promise<RuleSetEdit> {
  const tables = new Map<string, Awaited<ReturnType<typeof fillTable>>>()
  const yieldIfDue = createYielder()
  const flags = []
  for (const { overrides, ...flag } of delta.flags) {
    flags.push(flag)
    if (overrides !== undefined)
      tables.set(flag.key, await fillTable(new Map(Object.entries(overrides)), yieldIfDue))
  }
  const overrides = Object.entries(delta.overrides).flatMap(([flag, changes]) =>
    Object.entries(changes).map(([targetingKey, variation]) => ({
      flag,
      targetingKey,
      variation: variation ?? undefined,
    })),
  )
  const { removedFlags, segments, removedSegments } = delta
  return { ...noEdit, flags, removedFlags, segments, removedSegments, tables, overrides }
}
