import type { FlagConfig, FlagConfigDraft, Serve } from '@telltale/core/contract/flag-config'
import { v7 as newId } from 'uuid'
import type { ServeDraft } from './splits.ts'

/** The draft that would save this configuration. */
export function draftOf(config: Omit<FlagConfig, 'salt'>): FlagConfigDraft {
  return {
    enabled: config.enabled,
    offVariation: config.offVariation,
    prerequisites: config.prerequisites,
    rules: config.rules.map(({ id, description, when, serve }) => ({
      id,
      description,
      when,
      serve: serveDraftOf(serve),
    })),
    fallthrough: serveDraftOf(config.fallthrough),
  }
}

function serveDraftOf(serve: Serve): ServeDraft {
  if ('variation' in serve) return serve
  const { arms, by } = serve.split
  return { split: arms.map(({ variation, weight }) => ({ variation, weight })), by }
}

/** The draft with its optional fields filled in. */
export function completed(draft: FlagConfigDraft): FlagConfigDraft {
  return {
    enabled: draft.enabled,
    offVariation: draft.offVariation,
    prerequisites: draft.prerequisites,
    rules: draft.rules.map((rule) => ({
      ...rule,
      description: rule.description ?? '',
      serve: completedServe(rule.serve),
    })),
    fallthrough: completedServe(draft.fallthrough),
  }
}

function completedServe(serve: ServeDraft): ServeDraft {
  return 'split' in serve ? { ...serve, by: serve.by ?? 'targetingKey' } : serve
}

/** Assigns permanent ids to new rules. */
export function withRuleIds(rules: FlagConfigDraft['rules']): FlagConfigDraft['rules'] {
  return rules.map((rule) => ({ ...rule, id: rule.id ?? newId() }))
}
