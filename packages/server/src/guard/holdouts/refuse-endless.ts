import { problem } from '@telltale/core/errors'
import type { HoldoutRow } from './queries.ts'

/** Throws `invalid-experiment` for an end without a date. */
export function refuseEndless({ days, whenOver }: Pick<HoldoutRow, 'days' | 'whenOver'>): void {
  if (whenOver === 'continue' || days !== null) return
  const message = 'A holdout that ends or repeats needs planned days.'
  throw problem('invalid-experiment', { errors: [{ pointer: '/days', message }] })
}
