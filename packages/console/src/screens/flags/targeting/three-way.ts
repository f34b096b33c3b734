// Three-way merge of two drafts. Changes of only one side are merged; where both changed the same part, the
// member decides.

import { isSame } from '@telltale/core/changes/same'
import type { Draft, RuleDraft } from './draft.ts'

export type Side = 'mine' | 'theirs'

export interface Sides {
  readonly mine: Draft
  readonly theirs: Draft
}

interface Values<Value> {
  readonly base: Value
  readonly mine: Value
  readonly theirs: Value
}

/** A part that at least one side changed. `both`: to the same value. */
export type ChangedPart = { readonly id: string; readonly state: Side | 'both' | 'conflict' } & (
  | ({ readonly kind: Plain } & Values<Pick<Draft, Plain>>)
  | ({ readonly kind: 'rule' } & Values<RuleDraft | undefined>)
  | ({ readonly kind: 'order' } & Values<readonly RuleDraft[]>)
)

export type Choices = Readonly<Record<string, Side>>

const plainParts = ['enabled', 'offVariation', 'prerequisites', 'fallthrough'] as const
type Plain = (typeof plainParts)[number]

export function findChangedParts(base: Draft, sides: Sides): ChangedPart[] {
  const plain = plainParts.flatMap((kind): ChangedPart[] => {
    const state = stateOf({ base: base[kind], mine: sides.mine[kind], theirs: sides.theirs[kind] })
    return state ? [{ id: kind, kind, state, base, ...sides }] : []
  })
  const rules = ruleIds(base, sides).flatMap((id): ChangedPart[] => {
    const values = rulesOf(id, base, sides)
    const state = stateOf(values)
    return state ? [{ id, kind: 'rule', state, ...values }] : []
  })
  const order = orderState(base, sides)
  const moved: ChangedPart[] = order
    ? [
        {
          id: 'order',
          kind: 'order',
          state: order,
          base: base.rules,
          mine: sides.mine.rules,
          theirs: sides.theirs.rules,
        },
      ]
    : []
  return [...plain, ...rules, ...moved]
}

/** Conflicts without a choice keep mine. */
export function mergeDrafts(base: Draft, sides: Sides, choices: Choices = {}): Draft {
  const sideOf = (part: ChangedPart): Side =>
    part.state === 'conflict' ? (choices[part.id] ?? 'mine') : part.state === 'theirs' ? 'theirs' : 'mine'
  const chosen = new Map(findChangedParts(base, sides).map((part) => [part.id, sideOf(part)]))
  const from = (id: string) => (chosen.get(id) === 'theirs' ? sides.theirs : sides.mine)

  return {
    enabled: from('enabled').enabled,
    offVariation: from('offVariation').offVariation,
    prerequisites: from('prerequisites').prerequisites,
    rules: mergedOrder(sides, chosen.get('order') ?? 'mine').flatMap((id) => {
      const rule = from(id).rules.find((one) => one.id === id)
      return rule ? [rule] : []
    }),
    fallthrough: from('fallthrough').fallthrough,
  }
}

/** The order of one side; rules that only the other side has follow their predecessor there. */
function mergedOrder(sides: Sides, first: Side): string[] {
  const order = sides[first].rules.map(({ id }) => id)
  const others = sides[first === 'mine' ? 'theirs' : 'mine'].rules.map(({ id }) => id)
  for (const [index, id] of others.entries()) {
    if (order.includes(id)) continue
    const before = others.slice(0, index).findLast((one) => order.includes(one))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  }
  return order
}

function stateOf({ base, mine, theirs }: Values<unknown>): ChangedPart['state'] | undefined {
  const [isMine, isTheirs] = [!isSame(mine, base), !isSame(theirs, base)]
  if (isMine && isTheirs) return isSame(mine, theirs) ? 'both' : 'conflict'
  return isMine ? 'mine' : isTheirs ? 'theirs' : undefined
}

/** Only of rules that neither side added or removed. */
function orderState(base: Draft, { mine, theirs }: Sides): ChangedPart['state'] | undefined {
  const idsOf = ({ rules }: Draft) => rules.map(({ id }) => id)
  const common = idsOf(base).filter((id) => idsOf(mine).includes(id) && idsOf(theirs).includes(id))
  const order = (draft: Draft) => idsOf(draft).filter((id) => common.includes(id))
  return stateOf({ base: order(base), mine: order(mine), theirs: order(theirs) })
}

function ruleIds(base: Draft, { mine, theirs }: Sides): string[] {
  return [...new Set([base, mine, theirs].flatMap(({ rules }) => rules.map(({ id }) => id)))]
}

function rulesOf(id: string, base: Draft, { mine, theirs }: Sides): Values<RuleDraft | undefined> {
  const find = ({ rules }: Draft) => rules.find((rule) => rule.id === id)
  return { base: find(base), mine: find(mine), theirs: find(theirs) }
}
