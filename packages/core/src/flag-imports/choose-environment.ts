import type { Fault } from '../errors.ts'

/** The wanted environment, or the only one. */
export function chooseEnvironment(
  names: ReadonlySet<string>,
  wanted: string | undefined,
): { from: string | undefined } | { faults: Fault[] } {
  const [only] = names
  if (wanted === undefined && names.size <= 1) return { from: only }
  if (wanted !== undefined && names.has(wanted)) return { from: wanted }
  const message = `must be one of the environments in the document: ${[...names].join(', ') || 'it has none'}`
  return { faults: [{ pointer: '/from', message }] }
}
