// OFREP's answers, as text. The text of each outcome of a flag is made once and pasted from then on.

import { evaluateFlag } from '@telltale/core/evaluation/evaluate'
import type { Evaluation, EvaluationError } from '@telltale/core/evaluation/rule-set'
import type { ServedFlag, ServedRuleSet } from './build-rule-set.ts'
import type { KnownKey } from './known-keys.ts'

export interface Answer {
  errorCode: EvaluationError | undefined
  text: string
}

export function answerFlag(
  { ruleSet }: ServedRuleSet,
  flag: ServedFlag,
  { context, key }: { context: unknown; key: KnownKey },
): Answer {
  const evaluation = evaluateFlag(ruleSet, flag.compiled, context)
  const known = flag.answers.get(evaluation)
  if (known !== undefined) return { errorCode: evaluation.errorCode, text: known }

  const text = JSON.stringify(
    evaluation.errorCode === undefined
      ? success(flag, evaluation, key.environment.key)
      : failure(flag.key, evaluation.errorCode, detailsOf(evaluation)),
  )
  flag.answers.set(evaluation, text)
  return { errorCode: evaluation.errorCode, text }
}

/** The answers of every flag that the key may see, in the order of the flags' keys. */
export function answerAll(served: ServedRuleSet, asked: { context: unknown; key: KnownKey }): string {
  const seesAll = asked.key.kind === 'server'
  const texts: string[] = []
  for (const flag of served.flags.values()) {
    if (seesAll || flag.clientVisible) texts.push(answerFlag(served, flag, asked).text)
  }
  return texts.join(',')
}

/** The flag, unless this key may not know of it. */
export function findVisible({ flags }: ServedRuleSet, flag: string, key: KnownKey): ServedFlag | undefined {
  const found = flags.get(flag)
  return key.kind === 'server' || found?.clientVisible === true ? found : undefined
}

export function failure(key: string, errorCode: string, errorDetails: string): object {
  return { key, errorCode, errorDetails }
}

function success(flag: ServedFlag, evaluation: Evaluation, environment: string): object {
  const { value, reason, variation, ruleId, split, prerequisite, overridden } = evaluation
  return {
    key: flag.key,
    value,
    reason,
    variant: variation,
    // Flat and without null: clients drop everything else.
    metadata: {
      flagSetId: environment,
      version: String(flag.version),
      ruleId,
      split: split?.id,
      epoch: split?.epoch,
      unit: split?.by,
      prerequisite,
      ...(overridden ? { overridden } : {}),
    },
  }
}

function detailsOf({ errorCode, split }: Evaluation): string {
  if (errorCode !== 'TARGETING_KEY_MISSING') return 'The flag could not be evaluated.'
  return split === undefined || split.by === 'targetingKey'
    ? 'The flag splits its users and the context has no targetingKey.'
    : `The flag splits by "${split.by}", which the context does not have.`
}
