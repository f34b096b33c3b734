// The subject of a context. Contexts come unchecked from the application: reading one may throw.

import { isContext } from '@telltale/core/evaluation/context'

/** The targeting key as text; undefined when it is missing or unreadable. */
export function subjectOf(context: unknown): string | undefined {
  try {
    const targetingKey = isContext(context) ? context.targetingKey : undefined
    return typeof targetingKey === 'string' || typeof targetingKey === 'number'
      ? String(targetingKey)
      : undefined
  } catch {
    return undefined
  }
}

/** As on the server, which refuses a context whose subject is neither text nor a number. */
export function isUsable(context: unknown): boolean {
  try {
    if (!isContext(context)) return false
    const { targetingKey } = context
    const isAbsent = targetingKey === undefined || targetingKey === null
    return isAbsent || typeof targetingKey === 'string' || typeof targetingKey === 'number'
  } catch {
    // The evaluation fails in the same way and reports it.
    return true
  }
}
