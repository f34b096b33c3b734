import { type Fault, Problem } from '@telltale/core/errors'

/** Errors of an operation as faults of the entry at this position. Throws any other error again. */
export function findRefusal(error: unknown, pointer: string): Fault[] {
  if (!(error instanceof Problem) || error.status >= 500) throw error

  const { errors } = error.context
  if (!errors) return [{ pointer, message: error.message }]
  return errors.map((fault) => ({ pointer: pointer + fault.pointer, message: fault.message }))
}
