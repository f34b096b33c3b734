// OFREP's answers, as bytes. The bytes of each outcome of a flag are made once and pasted from then on; only what tells
// whose answer it is comes after them.

import type { Context } from '@telltale/core/evaluation/context'
import { evaluateFlag } from '@telltale/core/evaluation/evaluate'
import type { Evaluation } from '@telltale/core/evaluation/rule-set'
import type { EvaluationCounts } from '../evaluations/count-evaluations.ts'
import type { Answer, ServedFlag, ServedRuleSet } from './build-rule-set.ts'
import type { KnownKey } from './known-keys.ts'

export function answerFlag(served: ServedRuleSet, flag: ServedFlag, asked: Asked): Answer {
  const evaluation = evaluateFlag(served.ruleSet, flag.compiled, asked.context)
  const known = flag.answers.get(evaluation)
  if (known !== undefined) {
    known.counter.count += 1
    return known
  }

  const { errorCode } = evaluation
  const text =
    errorCode === undefined
      ? JSON.stringify(success(served, flag, evaluation)).slice(0, -2)
      : JSON.stringify(failure(flag.key, errorCode, detailsOf(evaluation)))
  const counter = asked.counts.counterOf(asked.key.environment.id, flag.key, evaluation)
  counter.count += 1
  const answer = { errorCode, bytes: Buffer.from(text), counter }
  flag.answers.set(evaluation, answer)
  return answer
}

export interface Asked {
  context: Context
  key: KnownKey
  counts: EvaluationCounts
}

/** Closes an answer with a value: its metadata end with the subject that telemetry joins on. */
export function endOf({ targetingKey }: Context): Buffer {
  const isNamed = typeof targetingKey === 'string' || typeof targetingKey === 'number'
  return Buffer.from(isNamed ? `,"contextId":${JSON.stringify(String(targetingKey))}}}` : '}}')
}

const opening = Buffer.from('{"flags":[')
const comma = 0x2c

/** The answers of every flag that the key may see, in the order of the flags' keys, and the tail of the set. */
export function answerAll(served: ServedRuleSet, asked: Asked, tail: Buffer): Buffer {
  const seesAll = asked.key.kind === 'server'
  const end = endOf(asked.context)
  const answers: Answer[] = []
  let size = opening.length + tail.length
  for (const flag of served.flags.values()) {
    if (!seesAll && !flag.clientVisible) continue
    const answer = answerFlag(served, flag, asked)
    answers.push(answer)
    size += answer.bytes.length + (answer.errorCode === undefined ? end.length : 0) + 1
  }
  if (answers.length > 0) size -= 1

  const body = Buffer.allocUnsafe(size)
  let at = opening.copy(body)
  for (const [index, { errorCode, bytes }] of answers.entries()) {
    if (index > 0) body[at++] = comma
    at += bytes.copy(body, at)
    if (errorCode === undefined) at += end.copy(body, at)
  }
  tail.copy(body, at)
  return body
}

/** The flag, unless this key may not know of it. */
export function findVisible({ flags }: ServedRuleSet, flag: string, key: KnownKey): ServedFlag | undefined {
  const found = flags.get(flag)
  return key.kind === 'server' || found?.clientVisible === true ? found : undefined
}

export function failure(key: string | undefined, errorCode: string, errorDetails: string): object {
  return { key, errorCode, errorDetails }
}

/** The bytes are the same for browsers and servers: a flag that browsers see names no flag that they may not know of. */
function mayName({ flags }: ServedRuleSet, flag: ServedFlag, prerequisite: string): boolean {
  return !flag.clientVisible || flags.get(prerequisite)?.clientVisible === true
}

function success(served: ServedRuleSet, flag: ServedFlag, evaluation: Evaluation): object {
  const { value, reason, variation, ruleId, split, prerequisite, overridden } = evaluation
  return {
    key: flag.key,
    value,
    reason,
    variant: variation,
    // Flat and without null: clients drop everything else.
    metadata: {
      flagSetId: served.environment,
      version: String(flag.version),
      ruleId,
      split: split?.id,
      epoch: split?.epoch,
      unit: split?.by,
      prerequisite:
        prerequisite !== undefined && mayName(served, flag, prerequisite) ? prerequisite : undefined,
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
