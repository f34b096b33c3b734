import type { Environment } from '../../../api/environments.ts'
import { useMay } from '../../../shell/account.ts'
import { useReason } from '../../../shell/may-notice.tsx'

/** Why the account may not plan a rollout here; undefined if it may. */
export function usePlanRights(environment: Environment, isArchived: boolean): string | undefined {
  const mayChange = useMay('flags.change', environment.key)
  const mayChangeProtected = useMay('flags.change-protected', environment.key)
  const viewer =
    'Your role in this project is viewer. Editors can start rollouts. An admin of the project can give you the role.'
  const noChange = useReason('flags.change', environment, viewer)
  const maintainer = `${environment.name} is protected: starting a rollout requires the role maintainer. An admin of the project can give it to you.`
  const noProtected = useReason('flags.change-protected', environment, maintainer)
  if (isArchived) return 'The flag is archived. Restore it to start a rollout.'
  if (!mayChange) return noChange
  return environment.protected && !mayChangeProtected ? noProtected : undefined
}
