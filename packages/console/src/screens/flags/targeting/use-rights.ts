import type { Environment } from '../../../api/environments.ts'
import { useMay } from '../../../shell/account.ts'
import { useReason } from '../../../shell/may-notice.tsx'

/** The account's permissions here, with the reasons for missing ones. */
export function useRights(
  environment: Environment,
  isArchived: boolean,
): { readOnly: string | undefined; mayOverride: boolean } {
  const mayChange = useMay('flags.change', environment.key)
  const mayChangeProtected = useMay('flags.change-protected', environment.key)
  const viewer =
    'Your role in this project is viewer. Editors can change flags. An admin of the project can give you the role.'
  const noChange = useReason('flags.change', environment, viewer)
  const maintainer = `${environment.name} is protected: changes require the role maintainer. An admin of the project can give it to you.`
  const noProtected = useReason('flags.change-protected', environment, maintainer)
  return {
    readOnly: reasonOf(environment, {
      isArchived,
      noChange: mayChange ? undefined : noChange,
      noProtected: mayChangeProtected ? undefined : noProtected,
    }),
    mayOverride: mayChange && !isArchived && (!environment.protected || mayChangeProtected),
  }
}

function reasonOf(
  environment: Environment,
  is: { isArchived: boolean; noChange: string | undefined; noProtected: string | undefined },
): string | undefined {
  if (is.isArchived) return 'The flag is archived. Restore it to change what it does.'
  if (is.noChange !== undefined) return is.noChange
  // Where approval is required, an editor's change becomes a request, which needs no further permission.
  return environment.protected && !environment.approvalRequired ? is.noProtected : undefined
}
