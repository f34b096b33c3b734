import { identityKeyOf } from './flagsmith-bucket.ts'
import type { EvaluationContext } from './flagsmith-evaluation-context.ts'

/** What every draw of an identity hashes. Undefined without one. */
export function keyOfIdentity({ environment, identity }: EvaluationContext): string | undefined {
  if (!identity) return undefined
  return identity.key || identityKeyOf(environment.key, identity.identifier)
}
