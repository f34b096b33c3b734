import type { Serve } from '@telltale/core/contract/flag-config'
import type { JsonValue } from '@telltale/core/contract/trace'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flagConfigVersions, flags, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import { loadSegments } from '../../release/flags/load-rule-set.ts'
import type { RuleSetSince } from './demo.ts'

interface Past {
  environmentId: string
  until: Date
}

/** The rule sets that an environment served, one for each change; oldest first. */
export async function readRuleSets(db: Queryable, past: Past): Promise<RuleSetSince[]> {
  const segments = (await loadSegments(db, past.environmentId)).map(({ segment }) => segment)
  const inForce = new Map<string, FlagDefinition>()
  // A version precedes the epoch that it starts; the stable sort keeps that order.
  const steps = [...(await readVersions(db, past)), ...(await readStages(db, past))]
  return steps
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, flag, change }) => {
      const changed = change(inForce.get(flag))
      if (changed === undefined) return []
      inForce.set(flag, changed)
      return [{ from: at, definition: { flags: [...inForce.values()], segments } }]
    })
}

interface Step {
  at: number
  /** The key of the flag. */
  flag: string
  /** The flag from then on; undefined if it does not change. */
  change(before: FlagDefinition | undefined): FlagDefinition | undefined
}

async function readVersions(db: Queryable, { environmentId, until }: Past): Promise<Step[]> {
  const rows = await db
    .select({ flag: flags, version: flagConfigVersions })
    .from(flagConfigVersions)
    .innerJoin(flags, eq(flags.id, flagConfigVersions.flagId))
    .where(and(eq(flagConfigVersions.environmentId, environmentId), lte(flagConfigVersions.savedAt, until)))
    .orderBy(asc(flagConfigVersions.savedAt), asc(flagConfigVersions.version))

  return rows.map(({ flag: { key, valueType, variations, clientVisible }, version }) => {
    const definition: FlagDefinition = {
      key,
      valueType,
      clientVisible,
      // Read from a JSON column.
      variations: variations.map((each) => ({ key: each.key, value: each.value as JsonValue })),
      config: version.config,
    }
    return { at: version.savedAt.getTime(), flag: key, change: () => definition }
  })
}

/** Stages of rollouts are epochs of a split without a version. */
async function readStages(db: Queryable, { environmentId, until }: Past): Promise<Step[]> {
  const rows = await db
    .select({ flag: flags.key, place: splits.place, epoch: splitEpochs })
    .from(splitEpochs)
    .innerJoin(splits, eq(splits.id, splitEpochs.splitId))
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .where(and(eq(splits.environmentId, environmentId), lte(splitEpochs.startedAt, until)))
    .orderBy(asc(splitEpochs.startedAt), asc(splitEpochs.epoch))

  return rows.map(({ flag, place, epoch: { epoch, splitId, by, arms, startedAt } }) => ({
    at: startedAt.getTime(),
    flag,
    change: (before) => {
      if (before === undefined) return undefined
      let isChanged = false
      const at = (serve: Serve): Serve => {
        if (!('split' in serve) || serve.split.epoch === epoch) return serve
        isChanged = true
        return { split: { ...serve.split, id: String(splitId), epoch, by, arms } }
      }
      const { rules, fallthrough } = before.config
      const config =
        place === 'fallthrough'
          ? { ...before.config, fallthrough: at(fallthrough) }
          : {
              ...before.config,
              rules: rules.map((rule) => (rule.id === place ? { ...rule, serve: at(rule.serve) } : rule)),
            }
      return isChanged ? { ...before, config } : undefined
    },
  }))
}
