import type { ConfigPatch, FlagConfigDraft, GivenConfig } from '@telltale/core/contract/flag-config'

type GivenServe = GivenConfig['fallthrough']

/** Accepts splits in saved form as well as in the form of a draft. */
export function draftOfGiven(given: GivenConfig): FlagConfigDraft {
  return {
    enabled: given.enabled,
    offVariation: given.offVariation,
    prerequisites: given.prerequisites,
    rules: given.rules.map(ruleOfGiven),
    fallthrough: serveOfGiven(given.fallthrough),
  }
}

export function patchOfGiven({ rules, fallthrough, ...patch }: Partial<GivenConfig>): ConfigPatch {
  return {
    ...patch,
    ...(rules === undefined ? {} : { rules: rules.map(ruleOfGiven) }),
    ...(fallthrough === undefined ? {} : { fallthrough: serveOfGiven(fallthrough) }),
  }
}

function ruleOfGiven(rule: GivenConfig['rules'][number]): FlagConfigDraft['rules'][number] {
  return { ...rule, serve: serveOfGiven(rule.serve) }
}

function serveOfGiven(serve: GivenServe): FlagConfigDraft['fallthrough'] {
  if ('variation' in serve) return serve
  const { split } = serve
  if (Array.isArray(split)) return { ...serve, split }
  return { split: split.arms.map(({ variation, weight }) => ({ variation, weight })), by: split.by }
}
