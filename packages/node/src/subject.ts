// Whom a context names. Contexts come from the application as they are: reading one that throws has an outcome too.

import { isContext } from '@telltale/core/evaluation/context'

/** The targeting key as text; nothing where there is none, or none that can be read. */
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

/** As the server, which refuses a context whose subject is neither text nor a number. */
export function isUsable(context: unknown): boolean {
  try {
    if (!isContext(context)) return false
    const { targetingKey } = context
    const isAbsent = targetingKey === undefined || targetingKey === null
    return isAbsent || typeof targetingKey === 'string' || typeof targetingKey === 'number'
  } catch {
    // The evaluation meets the same fault, and answers it.
    return true
  }
}
