// Answers to contexts that came before, by rule set and key, within a limit of bytes: a changed rule set is a new object
// and begins without any.

import { edgeLimits } from '@telltale/core/edge-limits'
import type { KnownKey } from '../../../organisation/keys/known-keys.ts'
import type { ServedRuleSet } from '../../../release/delivery/build-rule-set.ts'
import type { EvaluationCounter } from '../../../release/evaluations/count-evaluations.ts'
import type { DirectAnswer } from './direct-answers.ts'

interface Kept {
  tag: string | undefined
  /** Undefined when it was unchanged so far. */
  answer: DirectAnswer | undefined
  /** Of the flags in the answer. */
  counters: readonly EvaluationCounter[]
}

export interface KeptOfKey {
  get(name: string): Kept | undefined
  /** The context has this tag. */
  note(name: string, tag: string | undefined): void
  keep(name: string, kept: Kept): void
}

export interface KeptAnswers {
  /** Whether a context with this checksum came before, as far as known: what comes once is not kept. */
  isAgain(checksum: number): boolean
  /** `epoch`: of the tokens in the answers. */
  of(served: ServedRuleSet, key: KnownKey, epoch: number): KeptOfKey
}

const bytesOfEntry = 200
/** 256 KiB. */
const checksumsRemembered = 65_536
const noCounters: readonly EvaluationCounter[] = []

export function createKeptAnswers(most = edgeLimits.edgeAnswerMemory.value): KeptAnswers {
  let byRules = new WeakMap<ServedRuleSet, Map<KnownKey, { epoch: number; kept: KeptOfKey }>>()
  let bytes = 0

  /** Counts what is gone with its rule set too, until everything is dropped. */
  const take = (more: number) => {
    bytes += more
    if (bytes <= most) return
    byRules = new WeakMap()
    bytes = 0
  }
  const open = (): KeptOfKey => {
    const entries = new Map<string, Kept>()
    return {
      get: (name) => entries.get(name),
      note(name, tag) {
        entries.set(name, { tag, answer: undefined, counters: noCounters })
        take(name.length + bytesOfEntry)
      },
      keep(name, kept) {
        entries.set(name, kept)
        const { lines = '', body = '' } = kept.answer ?? {}
        take(lines.length + body.length + 8 * kept.counters.length)
      },
    }
  }

  const seen = new Uint32Array(checksumsRemembered)
  return {
    isAgain(checksum) {
      const slot = checksum % checksumsRemembered
      if (seen[slot] === checksum) return true
      seen[slot] = checksum
      return false
    },
    of(served, key, epoch) {
      let byKey = byRules.get(served)
      if (byKey === undefined) {
        byKey = new Map()
        byRules.set(served, byKey)
      }
      const known = byKey.get(key)
      if (known?.epoch === epoch) return known.kept
      const kept = open()
      byKey.set(key, { epoch, kept })
      return kept
    },
  }
}
