// Finds the saved rule of each rule in a file. Files name no ids, and a rule that keeps its id keeps the buckets of its
// split, so that a changed weight moves as few users as possible.

import { isSame } from '../changes/same.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'

type Rule = FlagConfigDraft['rules'][number]

/** From the surest sign to the weakest. */
const signs: ((saved: Rule, given: Rule) => boolean)[] = [
  (saved, given) => isSame({ ...saved, id: '' }, { ...given, id: '' }),
  (saved, given) => isSame(saved.when, given.when),
  (saved, given) => Boolean(given.description) && saved.description === given.description,
  (saved, given) => isSame(saved.serve, given.serve),
]

/** The given rules with the ids of their saved ones; new rules have none. */
export function matchRules(saved: readonly Rule[], given: readonly Rule[]): Rule[] {
  const ids = new Map<number, string>()
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const left = saved.filter(({ id }) => id !== undefined && !named.has(id))
  for (const isIt of signs) {
    for (const [index, rule] of given.entries()) {
      if (rule.id !== undefined || ids.has(index)) continue
      const at = left.findIndex((one) => isIt(one, rule))
      const [found] = at < 0 ? [] : left.splice(at, 1)
      if (found?.id !== undefined) ids.set(index, found.id)
    }
  }
  return given.map((rule, index) => {
    const id = rule.id ?? ids.get(index)
    return id === undefined ? rule : { ...rule, id }
  })
}
