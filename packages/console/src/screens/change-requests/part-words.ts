import { configText, prerequisiteText, ruleText, serveText } from '@telltale/core/changes/config-text'
import type { DescribedChangeRequest } from '../../api/change-requests.ts'
import type { ScheduledChange } from '../../api/scheduled-changes.ts'
import { type Ground, ruleAt } from './choose-overlaps.ts'

type Config = Ground['base']
type Patch = ScheduledChange['change']

/** The parts that the server names in an overlap, besides single rules. */
const parts: Readonly<Record<string, { name: string; text: (config: Config) => string }>> = {
  '/enabled': { name: 'State', text: ({ enabled }) => (enabled ? 'on' : 'off') },
  '/offVariation': { name: 'Variation when off', text: ({ offVariation }) => `serve ${offVariation}` },
  '/prerequisites': {
    name: 'Prerequisites',
    text: ({ prerequisites }) => prerequisites.map(prerequisiteText).join('\n') || 'none',
  },
  '/fallthrough': { name: 'Everyone else', text: ({ fallthrough }) => serveText(fallthrough) },
  '/rules': {
    name: 'Rules and their order',
    text: ({ rules }) => rules.map(ruleText).join('\n') || 'no rules',
  },
}

/** The display name of a part of a configuration. */
export function partName(ground: Ground, pointer: string): string {
  const rule = ruleAt(ground, pointer)
  if (!rule) return parts[pointer]?.name ?? pointer
  return `Rule “${rule.mine?.description || rule.theirs?.description || 'without a description'}”`
}

/** The part in each version, as text for a diff. */
export function partTexts(ground: Ground, pointer: string): Record<keyof Ground, string> {
  const rule = ruleAt(ground, pointer)
  if (rule) {
    const text = (one: typeof rule.base) => (one ? ruleText(one) : '')
    return { base: text(rule.base), mine: text(rule.mine), theirs: text(rule.theirs) }
  }
  const text = parts[pointer]?.text ?? configText
  return { base: text(ground.base), mine: text(ground.mine), theirs: text(ground.theirs) }
}

export function groundOf({ base, proposed, current }: DescribedChangeRequest): Ground {
  return { base, mine: proposed, theirs: current.config }
}

/** Only the parts that are set. */
export function patchText({ enabled, offVariation, prerequisites, rules, fallthrough }: Patch): string {
  return [
    ...(enabled === undefined ? [] : [`the flag is ${enabled ? 'on' : 'off'}`]),
    ...(offVariation === undefined ? [] : [`when off, serve ${offVariation}`]),
    ...(prerequisites === undefined ? [] : prerequisites.map(prerequisiteText)),
    ...(prerequisites?.length === 0 ? ['no prerequisites'] : []),
    ...(rules === undefined ? [] : rules.map(ruleText)),
    ...(rules?.length === 0 ? ['no rules'] : []),
    ...(fallthrough === undefined ? [] : ['everyone else', `  ${serveText(fallthrough)}`]),
  ].join('\n')
}
