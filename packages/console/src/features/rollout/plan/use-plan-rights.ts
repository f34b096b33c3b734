import type { Environment } from '../../../api/environments.ts'
import { useMay } from '../../../shell/account.ts'

/** Why the account may not plan a rollout here; undefined if it may. */
export function usePlanRights(
  { name, ...environment }: Environment,
  isArchived: boolean,
): string | undefined {
  const mayChange = useMay('flags.change')
  const mayChangeProtected = useMay('flags.change-protected')
  if (isArchived) return 'The flag is archived. Restore it to start a rollout.'
  if (!mayChange) {
    return 'Your role in this project is viewer. Editors can start rollouts. An admin of the project can give you the role.'
  }
  if (environment.protected && !mayChangeProtected) {
    return `${name} is protected: starting a rollout requires the role maintainer. An admin of the project can give it to you.`
  }
  return undefined
}
