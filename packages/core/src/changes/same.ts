// Whether two parts of a configuration are equal as JSON: the order of members does not matter, and an undefined
// member equals a missing one.

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false

  const [left, right] = [membersOf(a), membersOf(b)]
  return left.size === right.size && [...left].every(([name, value]) => isSame(value, right.get(name)))
}

function membersOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}
