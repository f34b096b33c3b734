import { problem } from '@telltale/core/errors'
import { type Excess, excessOf, type Grant, type Rights } from '@telltale/core/rights'

/** Throws `forbidden` if a change gives permissions that its author does not have. */
export function refuseExcess(author: Grant, change: { before: Rights | undefined; after: Rights }): void {
  const [first] = excessOf(author, change)
  if (first !== undefined) throw excess(first)
}

function excess({ permission, environment }: Excess) {
  const where = environment === undefined ? '' : ` in the environment "${environment}"`
  return problem('forbidden', {
    detail: `You can only give permissions that you have: this gives ${permission}, which you do not have${where}.`,
    permission,
  })
}
