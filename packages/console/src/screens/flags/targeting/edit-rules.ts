import { emptyCondition } from '../../../ui/conditions/operators.ts'
import type { Draft, RuleDraft, ServeDraft } from './draft.ts'

/** A version 4 UUID. `randomUUID` is missing on plain HTTP, which is how a new installation starts. */
export function newRuleId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A rule with one empty condition. */
export function newRule(id: string, serve: ServeDraft): RuleDraft {
  return { id, description: '', when: { match: 'all', of: [emptyCondition()] }, serve }
}

export function withRule(draft: Draft, rule: RuleDraft): Draft {
  return { ...draft, rules: [...draft.rules, rule] }
}

export function replaceRule(draft: Draft, rule: RuleDraft): Draft {
  return { ...draft, rules: draft.rules.map((one) => (one.id === rule.id ? rule : one)) }
}

export function removeRule(draft: Draft, id: string): Draft {
  return { ...draft, rules: draft.rules.filter((rule) => rule.id !== id) }
}

/** The copy follows the original. */
export function duplicateRule(draft: Draft, { id, copyId }: { id: string; copyId: string }): Draft {
  return {
    ...draft,
    rules: draft.rules.flatMap((rule) =>
      rule.id === id
        ? [rule, { ...rule, id: copyId, description: rule.description && `${rule.description} (copy)` }]
        : [rule],
    ),
  }
}

/** To a 0-based index in the list without the rule, clamped to the list. */
export function moveRule(draft: Draft, { id, to }: { id: string; to: number }): Draft {
  const moved = draft.rules.find((rule) => rule.id === id)
  if (!moved) return draft
  const rest = draft.rules.filter((rule) => rule.id !== id)
  const at = Math.max(0, Math.min(to, rest.length))
  return { ...draft, rules: [...rest.slice(0, at), moved, ...rest.slice(at)] }
}

/** The name of a rule: its description, or its number. */
export function ruleName(rule: RuleDraft, rules: readonly RuleDraft[]): string {
  return rule.description || `Rule ${rules.findIndex(({ id }) => id === rule.id) + 1}`
}
