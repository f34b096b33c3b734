import { identityKeyOf } from './flagsmith-bucket.ts'
import type { EvaluationContext } from './flagsmith-evaluation-context.ts'

/** The key that all percentages of an identity hash. Undefined without an identity. */
export function keyOfIdentity({ environment, identity }: EvaluationContext): string | undefined {
  if (!identity) return undefined
  return identity.key || identityKeyOf(environment.key, identity.identifier)
}
