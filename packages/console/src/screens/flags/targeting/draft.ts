// The edited form of a configuration: everything explicit, including what a saved one leaves to defaults.

import { patchConfig } from '@telltale/core/changes/patch-config'
import { isSame } from '@telltale/core/changes/same'
import type { ConfigPatch, FlagConfig, FlagConfigDraft, Serve } from '@telltale/core/contract/flag-config'

export type ServeDraft = Required<FlagConfigDraft['fallthrough']>
export type SplitDraft = Extract<ServeDraft, { split: unknown }>

export interface RuleDraft extends Omit<Required<FlagConfigDraft['rules'][number]>, 'serve'> {
  readonly serve: ServeDraft
}

export interface Draft extends Omit<FlagConfigDraft, 'rules' | 'fallthrough'> {
  readonly rules: RuleDraft[]
  readonly fallthrough: ServeDraft
}

export const defaultBy = 'targetingKey'

/** The request that saves this configuration. */
export function draftOf(saved: Omit<FlagConfig, 'salt'>): Draft {
  return {
    enabled: saved.enabled,
    offVariation: saved.offVariation,
    prerequisites: saved.prerequisites,
    rules: saved.rules.map(({ id, description, when, serve }) => ({
      id,
      description,
      when,
      serve: serveDraftOf(serve),
    })),
    fallthrough: serveDraftOf(saved.fallthrough),
  }
}

/** A proposed configuration, with its omitted defaults. */
function completed(draft: FlagConfigDraft): Draft {
  const serve = (one: FlagConfigDraft['fallthrough']): ServeDraft =>
    'split' in one ? { split: one.split, by: one.by ?? defaultBy } : one
  return {
    ...draft,
    rules: draft.rules.map((rule, index) => ({
      id: rule.id ?? `new-${index}`,
      description: rule.description ?? '',
      when: rule.when,
      serve: serve(rule.serve),
    })),
    fallthrough: serve(draft.fallthrough),
  }
}

/** A configuration with one part changed. */
export function patched(draft: Draft, patch: ConfigPatch): Draft {
  return completed(patchConfig(draft, patch))
}

/** The changed parts, each complete: the content of a scheduled change. Undefined if there are none. */
export function patchOf(before: Draft, after: Draft): ConfigPatch | undefined {
  const patch: ConfigPatch = {
    ...(before.enabled === after.enabled ? {} : { enabled: after.enabled }),
    ...(before.offVariation === after.offVariation ? {} : { offVariation: after.offVariation }),
    ...(isSame(before.prerequisites, after.prerequisites) ? {} : { prerequisites: after.prerequisites }),
    ...(isSame(before.rules, after.rules) ? {} : { rules: after.rules }),
    ...(isSame(before.fallthrough, after.fallthrough) ? {} : { fallthrough: after.fallthrough }),
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}

/** The number of changes as a reader would count them. */
export function countChanges(before: Draft, after: Draft): number {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const next = new Map(after.rules.map((rule) => [rule.id, rule]))
  const ids = new Set([...old.keys(), ...next.keys()])
  const rules = [...ids].filter((id) => !isSame(old.get(id), next.get(id))).length
  return (
    rules +
    (isMoved(before.rules, after.rules) ? 1 : 0) +
    Object.keys(patchOf({ ...before, rules: [] }, { ...after, rules: [] }) ?? {}).length
  )
}

/** Whether rules that exist in both are in a different order. */
export function isMoved(before: readonly RuleDraft[], after: readonly RuleDraft[]): boolean {
  const order = (rules: readonly RuleDraft[], others: readonly RuleDraft[]) =>
    rules.map(({ id }) => id).filter((id) => others.some((other) => other.id === id))
  return !isSame(order(before, after), order(after, before))
}

function serveDraftOf(serve: Serve): ServeDraft {
  if ('variation' in serve) return { variation: serve.variation }
  const { arms, by } = serve.split
  return { split: arms.map(({ variation, weight }) => ({ variation, weight })), by }
}
