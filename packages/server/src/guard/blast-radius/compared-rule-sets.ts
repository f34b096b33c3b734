// The rule sets before and after a change, limited to the flags that the change can affect and their
// prerequisites.

import { segmentsAbove } from '@telltale/core/changes/guarded-parts'
import type { previewBlastRadius as Preview } from '@telltale/core/contract/blast-radius'
import type { BodyOf } from '@telltale/core/contract/call'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { FlagConfig } from '@telltale/core/contract/flag-config'
import { compileRuleSet, replaceInRuleSet } from '@telltale/core/evaluation/compile'
import type { FlagDefinition, RuleSet } from '@telltale/core/evaluation/rule-set'
import { limits } from '@telltale/core/limits'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { configOfDraft } from '../../release/flags/config-of-draft.ts'
import { draftOfGiven } from '../../release/flags/given-config.ts'
import { type LoadedFlag, loadFlags, loadSegments } from '../../release/flags/load-rule-set.ts'
import { getSegment } from '../../release/segments/queries.ts'
import { refuseUnusable } from '../../release/segments/segment.ts'

export type Change = BodyOf<typeof Preview>['change']

interface ComparedRuleSets {
  /** Flags whose results can differ; the changed flag first. */
  flags: string[]
  moreFlags: number
  /** These flags and their prerequisites by id: the flags whose overrides are needed. */
  ids: ReadonlyMap<string, string>
  rules: { flag: string; ids: string[] } | undefined
  changed: { flag: string } | { segment: string }
  /** With the overrides of some users, by flag and targeting key. */
  compile(overrides: ReadonlyMap<string, ReadonlyMap<string, string>>): { before: RuleSet; after: RuleSet }
}

/** Throws the same errors as saving the change. */
export async function compareRuleSets(
  db: Queryable,
  { id: environmentId, projectId }: EnvironmentRow,
  change: Change,
): Promise<ComparedRuleSets> {
  const loaded = await loadFlags(db, environmentId)
  const segments = (await loadSegments(db, environmentId)).map(({ segment }) => segment)
  const changed = await applied(db, { environmentId, projectId }, change)

  const roots =
    'config' in changed
      ? [changed.flag]
      : loaded.filter(({ flag }) => segmentsOf(flag.config).has(changed.key)).map(({ flag }) => flag.key)
  const reached = requiring(loaded, roots)
  const flags = reached.slice(0, limits.blastRadiusFlags)
  const drafted = 'config' in changed ? { [changed.flag]: changed.config } : {}
  const needed = requiredBy(loaded, flags, drafted)

  return {
    flags,
    moreFlags: reached.length - flags.length,
    ids: new Map(needed.map(({ id, flag }) => [id, flag.key])),
    rules:
      'config' in changed && changed.config.enabled
        ? { flag: changed.flag, ids: changed.config.rules.map((rule) => rule.id) }
        : undefined,
    changed: 'config' in changed ? { flag: changed.flag } : { segment: changed.key },
    compile(overrides) {
      const definitions = needed.map(
        ({ flag: { version: _version, ...flag } }): FlagDefinition => ({
          ...flag,
          overrides: overrides.get(flag.key),
        }),
      )
      const before = compileRuleSet({ flags: definitions, segments })
      if ('config' in changed) {
        const own = definitions.filter(({ key }) => key === changed.flag)
        return {
          before,
          after: replaceInRuleSet(before, { flags: own.map((one) => ({ ...one, config: changed.config })) }),
        }
      }
      const own = segments.filter(({ key }) => key === changed.key)
      // Flags contain their own conditions, not those of segments, so only segments are compiled again.
      return {
        before,
        after: replaceInRuleSet(before, { segments: own.map((one) => ({ ...one, when: changed.when })) }),
      }
    },
  }
}

type Applied = { flag: string; config: FlagDefinition['config'] } | { key: string; when: ConditionGroup }

async function applied(
  db: Queryable,
  { environmentId, projectId }: { environmentId: string; projectId: string },
  change: Change,
): Promise<Applied> {
  if ('flag' in change) {
    const draft = draftOfGiven(change.draft)
    return {
      flag: change.flag,
      config: await configOfDraft(db, { projectId, environmentId, flag: change.flag, draft }),
    }
  }
  await getSegment(db, projectId, change.segment)
  refuseUnusable(change.when)
  return { key: change.segment, when: change.when }
}

/** These flags and all flags that require them, directly or indirectly. */
function requiring(loaded: readonly LoadedFlag[], roots: readonly string[]): string[] {
  const found = new Set(roots)
  for (const key of found) {
    for (const { flag } of loaded) {
      if (flag.config.prerequisites.some((one) => one.flag === key)) found.add(flag.key)
    }
  }
  return [...found]
}

/** The flags and all their prerequisites, before or after the change. */
function requiredBy(
  loaded: readonly LoadedFlag[],
  flags: readonly string[],
  drafted: Readonly<Record<string, Pick<FlagConfig, 'prerequisites'>>>,
): LoadedFlag[] {
  const byKey = new Map(loaded.map((one) => [one.flag.key, one]))
  const found = new Set(flags)
  for (const key of found) {
    const saved = byKey.get(key)?.flag.config.prerequisites ?? []
    const later = drafted[key]?.prerequisites ?? []
    for (const { flag } of [...saved, ...later]) found.add(flag)
  }
  return [...found].flatMap((key) => byKey.get(key) ?? [])
}

const segmentsOf = (config: FlagDefinition['config']) => segmentsAbove(draftOf(config), 'fallthrough')
