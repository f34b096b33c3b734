// Removes traits that a caller may not see. All code that displays, evaluates, filters or counts by traits for a caller
// filters them here first, so results do not depend on the hidden values.

import type { Context } from './context.ts'

/** The context without hidden attributes: attributes of that name with their contents, and members by their path. */
export function withoutTraits(context: Context, hidden: ReadonlySet<string>): Context {
  if (hidden.size === 0) return context
  return withoutMembers(context, hidden, '')
}

/** Whether a rule on this attribute reads something hidden: the attribute itself, a parent or a member of it. */
export function isHiddenTrait(attribute: string, hidden: ReadonlySet<string>): boolean {
  for (const name of hidden) {
    if (attribute === name || attribute.startsWith(`${name}.`) || name.startsWith(`${attribute}.`))
      return true
  }
  return false
}

function withoutMembers(value: object, hidden: ReadonlySet<string>, path: string): Context {
  const kept: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const at = path + name
    if (isWithin(at, hidden)) continue
    const holdsHidden = [...hidden].some((each) => each.startsWith(`${at}.`))
    const isStructure = typeof member === 'object' && member !== null && !Array.isArray(member)
    kept.push([name, holdsHidden && isStructure ? withoutMembers(member, hidden, `${at}.`) : member])
  }
  return Object.fromEntries(kept)
}

/** Whether this is a hidden attribute, or a flat attribute whose name is a path into one. */
function isWithin(at: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(at) || [...hidden].some((each) => at.startsWith(`${each}.`))
}
