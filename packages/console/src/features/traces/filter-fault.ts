import { Problem } from '../../api/problem.ts'

/** Why the server refuses the filter: a field that spans or log records do not have. */
export function filterFault(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined
  return error.errors.find(({ pointer }) => pointer === '?filter')?.message
}
