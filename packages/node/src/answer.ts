// What a flag serves, in OFREP terms: identical to the server's response for the same context.

import type { Evaluation } from '@telltale/core/contract/trace'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { variantEntry } from '@telltale/core/evaluation/flagsmith/variant-entry'
import { namedSegments } from '@telltale/core/evaluation/named-segments'
import type { ErrorCode, FlagAnswer, FlagContext, FlagMetadata } from './client.ts'
import type { HeldRuleSet } from './held-rule-set.ts'
import { isUsable, subjectOf } from './subject.ts'

export function evaluateFor({ ruleSet }: HeldRuleSet, key: string, context: FlagContext): Evaluation {
  return evaluate(ruleSet, key, isUsable(context) ? context : undefined)
}

export function toAnswer(held: HeldRuleSet, key: string, context: FlagContext): FlagAnswer {
  const evaluation = evaluateFor(held, key, context)
  const { value, reason, variation, errorCode } = evaluation
  if (errorCode !== undefined) return { key, errorCode, errorDetails: explainError(evaluation, errorCode) }

  const definition = held.ruleSet.flags.get(key)?.definition
  const imported = definition && variantEntry(definition, evaluation)
  const variant = imported?.variant ?? variation
  const shown = imported === undefined ? value : imported.value
  return {
    key,
    ...(shown === undefined ? {} : { value: shown }),
    reason: imported?.isOff ? 'DISABLED' : reason,
    ...(variant === undefined ? {} : { variant }),
    metadata: {
      ...metadataOf(held, key, { evaluation, context }),
      ...(variant === variation || variation === undefined ? {} : { variation }),
    },
  }
}

/** Flat and without null: OpenFeature clients drop everything else. */
export function metadataOf(
  { environment, version, flags, ruleSet }: HeldRuleSet,
  key: string,
  { evaluation, context }: { evaluation: Evaluation; context: FlagContext },
): FlagMetadata {
  const { ruleId, split, prerequisite, overridden, errorCode } = evaluation
  const flag = flags.get(key)
  // For a flag that does not exist, only the set is known.
  if (flag === undefined || errorCode !== undefined) return { flagSetId: environment, version }

  // Omit flags that browsers must not see, so that the page does not reveal their keys.
  const mayName = (other: string) => !flag.text.clientVisible || flags.get(other)?.text.clientVisible === true
  const contextId = subjectOf(context)
  const definition = ruleSet.flags.get(key)?.definition
  const segment = definition && namedSegments(definition, ruleId)
  return {
    flagSetId: environment,
    version: String(flag.text.version),
    ...(definition && { valueType: definition.valueType }),
    ...(definition?.flagsmith && { flagId: definition.flagsmith.id, flagName: definition.flagsmith.name }),
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(segment === undefined ? {} : { segment }),
    ...(split === undefined ? {} : { split: split.id, epoch: split.epoch, unit: split.by }),
    ...(prerequisite !== undefined && mayName(prerequisite) ? { prerequisite } : {}),
    ...(overridden ? { overridden } : {}),
    ...(contextId === undefined ? {} : { contextId }),
  }
}

export function explainError({ split }: Evaluation, errorCode: ErrorCode): string {
  if (errorCode === 'FLAG_NOT_FOUND') return 'There is no such flag.'
  if (errorCode === 'INVALID_CONTEXT') return 'The context must be an object, and its targetingKey a string.'
  if (errorCode !== 'TARGETING_KEY_MISSING') return 'The flag could not be evaluated.'
  return split === undefined || split.by === 'targetingKey'
    ? 'The flag has a percentage split and the context has no targetingKey.'
    : `The flag splits by "${split.by}", which the context does not have.`
}
