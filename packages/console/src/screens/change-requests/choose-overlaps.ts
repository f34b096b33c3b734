// Merges the proposed and the saved configuration, with a choice for each part that both changed. The pointers
// are those of the server.

import { mergeConfigs } from '@telltale/core/changes/merge-config'
import { isSame } from '@telltale/core/changes/same'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'

type Rule = FlagConfigDraft['rules'][number]

export type Side = 'mine' | 'theirs'

export interface Ground {
  readonly base: FlagConfigDraft
  readonly mine: FlagConfigDraft
  readonly theirs: FlagConfigDraft
}

export type Choices = Readonly<Record<string, Side>>

/** Sets the chosen part on both sides, so that they no longer differ there. Undefined while a choice is missing. */
export function chooseOverlaps(ground: Ground, choices: Choices): FlagConfigDraft | undefined {
  let { mine, theirs } = ground
  for (const [pointer, side] of Object.entries(choices)) {
    const put = putPart(ground, pointer, side)
    mine = put(mine)
    theirs = put(theirs)
  }
  const result = mergeConfigs(ground.base, { mine, theirs })
  return 'merged' in result ? result.merged : undefined
}

/** The rule at the pointer, if it is one. */
export function ruleAt(ground: Ground, pointer: string): Record<keyof Ground, Rule | undefined> | undefined {
  const id = ruleIdAt(ground, pointer)
  if (id === undefined) return undefined
  const find = ({ rules }: FlagConfigDraft) => rules.find((rule) => rule.id === id)
  return { base: find(ground.base), mine: find(ground.mine), theirs: find(ground.theirs) }
}

function putPart(ground: Ground, pointer: string, side: Side) {
  const id = ruleIdAt(ground, pointer)
  const from = ground[side]
  return (config: FlagConfigDraft): FlagConfigDraft => {
    if (id === undefined) return { ...config, ...memberOf(from, pointer) }
    const rule = from.rules.find((one) => one.id === id)
    return { ...config, rules: config.rules.map((one) => (one.id === id && rule ? rule : one)) }
  }
}

function memberOf(config: FlagConfigDraft, pointer: string): Partial<FlagConfigDraft> {
  switch (pointer) {
    case '/enabled':
      return { enabled: config.enabled }
    case '/offVariation':
      return { offVariation: config.offVariation }
    case '/prerequisites':
      return { prerequisites: config.prerequisites }
    case '/fallthrough':
      return { fallthrough: config.fallthrough }
    case '/rules':
      return { rules: config.rules }
    default:
      return {}
  }
}

/** `/rules/2` is an index in the merged order: that of the side that changed it. */
function ruleIdAt({ base, mine, theirs }: Ground, pointer: string): string | undefined {
  const index = /^\/rules\/(\d+)$/.exec(pointer)?.[1]
  if (index === undefined) return undefined
  const idsOf = ({ rules }: FlagConfigDraft) => rules.map(({ id }) => id)
  const ordered = isSame(idsOf(mine), idsOf(base)) ? theirs : mine
  return ordered.rules[Number(index)]?.id
}
