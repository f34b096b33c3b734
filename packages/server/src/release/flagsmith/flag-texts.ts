// The flag entries of Flagsmith's responses as text. The text of each outcome of a flag is built once per rule
// set.

import type { Evaluation } from '@telltale/core/contract/trace'
import type { Context } from '@telltale/core/evaluation/context'
import { evaluateFlag } from '@telltale/core/evaluation/evaluate'
import { flagIds } from '@telltale/core/evaluation/flagsmith/document-ids'
import { type FlagEntry, flagEntry } from '@telltale/core/evaluation/flagsmith/flag-entry'
import { allotIds, idOf } from '@telltale/core/evaluation/flagsmith/wire-ids'
import type { RuleSet } from '@telltale/core/evaluation/rule-set'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { ServedFlag, ServedRuleSet } from '../delivery/build-rule-set.ts'
import type { EvaluationCounter, EvaluationCounts } from '../evaluations/count-evaluations.ts'

interface Entry {
  text: string
  enabled: boolean
  counter: EvaluationCounter
}

interface FlagsRequest {
  key: KnownKey
  /** Includes the targeting key if there is an identity. */
  context: Context
  hasIdentity: boolean
  counts: EvaluationCounts
}

/** The list of all flags visible to the key, or of the one with this name. */
export function flagsText(served: ServedRuleSet, requested: FlagsRequest, name?: string): string {
  const { key } = requested
  const { flagsmith } = key.environment
  const hidesDisabled = flagsmith?.hidesDisabled === true
  const entries: string[] = []
  let evaluated = 0
  for (const flag of served.flags.values()) {
    if (key.kind === 'client' && !flag.clientVisible) continue
    if (name !== undefined && nameOf(flag) !== name) continue
    const entry = entryOf(served, flag, requested)
    entry.counter.count += 1
    evaluated += 1
    if (hidesDisabled && !entry.enabled) continue
    entries.push(entry.text)
  }
  requested.counts.meterOf(key).count += evaluated
  return `[${entries.join(',')}]`
}

/** The name of a flag in Flagsmith's clients. */
export function nameOf({ key, compiled }: ServedFlag): string {
  return compiled.definition.flagsmith?.name ?? key
}

/** The form of an evaluation in Flagsmith's clients. */
export function entryFor(
  { segments }: RuleSet,
  { compiled }: ServedFlag,
  { evaluation, hasIdentity }: { evaluation: Evaluation; hasIdentity: boolean },
): FlagEntry {
  return flagEntry(compiled.definition, evaluation, {
    hasIdentity,
    nameOfSegment: (key) => segments.get(key)?.definition.flagsmith?.name ?? key,
  })
}

/** Flagsmith's clients report exposures only for experiments, so every split is one. */
function experimentOf(name: string, { split, variation }: Evaluation, ids: Ids): object {
  if (split === undefined || variation === undefined) return {}
  const id = ids.splits.get(split.id) ?? idOf(split.id)
  return { metadata: { experiment: { id, name, in_experiment: true } } }
}

interface Ids {
  /** By the flag's key. */
  flags: Map<string, number>
  /** By the split's id. */
  splits: Map<string, number>
}

const allotted = new WeakMap<ServedRuleSet['flags'], Ids>()

function idsOf({ flags }: ServedRuleSet): Ids {
  const found = allotted.get(flags)
  if (found !== undefined) return found
  const definitions = [...flags.values()].map(({ compiled }) => compiled.definition)
  const serves = definitions.flatMap(({ config }) => [
    config.fallthrough,
    ...config.rules.map(({ serve }) => serve),
  ])
  const splits = serves.flatMap((serve) => ('split' in serve ? [serve.split.id] : []))
  const ids = { flags: flagIds(definitions), splits: allotIds(splits) }
  allotted.set(flags, ids)
  return ids
}

const known = new WeakMap<ServedRuleSet, Map<string, Map<Evaluation, Entry>>>()

function entryOf(served: ServedRuleSet, flag: ServedFlag, requested: FlagsRequest): Entry {
  const evaluation = evaluateFlag(served.ruleSet, flag.compiled, requested.context)
  const entries = entriesOf(served, `${flag.key} ${requested.hasIdentity}`)
  const found = entries.get(evaluation)
  if (found !== undefined) return found

  const { definition } = flag.compiled
  const { flagsmith: feature } = definition
  const ids = idsOf(served)
  const id = ids.flags.get(flag.key) ?? idOf(flag.key)
  const { hasIdentity } = requested
  const { enabled, value, variant, reason } = entryFor(served.ruleSet, flag, { evaluation, hasIdentity })
  const isDrawn =
    definition.config.rules.some(({ serve }) => 'split' in serve) || 'split' in definition.config.fallthrough
  const entry: Entry = {
    enabled,
    text: JSON.stringify({
      id,
      feature: {
        id,
        name: nameOf(flag),
        type: feature?.type ?? (isDrawn ? 'MULTIVARIATE' : 'STANDARD'),
        // Server SDKs read it here, browser SDKs one level up.
        reason,
      },
      enabled,
      feature_state_value: value,
      environment: null,
      identity: null,
      feature_segment: null,
      reason,
      ...(hasIdentity ? { variant } : {}),
      ...experimentOf(nameOf(flag), evaluation, ids),
    }),
    counter: requested.counts.counterOf(requested.key.environment.id, flag.key, evaluation),
  }
  entries.set(evaluation, entry)
  return entry
}

function entriesOf(served: ServedRuleSet, name: string): Map<Evaluation, Entry> {
  const flags = known.get(served) ?? new Map<string, Map<Evaluation, Entry>>()
  known.set(served, flags)
  const entries = flags.get(name) ?? new Map<Evaluation, Entry>()
  flags.set(name, entries)
  return entries
}
