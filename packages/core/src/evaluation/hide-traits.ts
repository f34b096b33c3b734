// Removes traits that a caller may not see. Everything that shows, evaluates, filters or counts by traits for a caller
// uses traits filtered here first, so that results do not depend on the hidden values.

import type { Context } from './context.ts'

/** The context without hidden attributes: those of that name, everything in them, and members by their path. */
export function withoutTraits(context: Context, hidden: ReadonlySet<string>): Context {
  if (hidden.size === 0) return context
  return withoutMembers(context, hidden, '')
}

/** Whether a rule that reads this attribute reads something hidden: the attribute, what holds it, or what is in it. */
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

/** The hidden attribute itself, or a flat attribute whose name is a path into it. */
function isWithin(at: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(at) || [...hidden].some((each) => at.startsWith(`${each}.`))
}
