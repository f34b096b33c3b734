import type { Environment } from '../../../api/environments.ts'
import { useMay } from '../../../shell/account.ts'

/** The account's permissions here, with the reasons for missing ones. */
export function useRights(
  environment: Environment,
  isArchived: boolean,
): { readOnly: string | undefined; mayOverride: boolean } {
  const mayChange = useMay('flags.change')
  const mayChangeProtected = useMay('flags.change-protected')
  return {
    readOnly: reasonOf(environment, { isArchived, mayChange, mayChangeProtected }),
    mayOverride: mayChange && !isArchived && (!environment.protected || mayChangeProtected),
  }
}

function reasonOf(
  { name, ...environment }: Environment,
  is: { isArchived: boolean; mayChange: boolean; mayChangeProtected: boolean },
): string | undefined {
  if (is.isArchived) return 'The flag is archived. Restore it to change what it does.'
  if (!is.mayChange) {
    return 'Your role in this project is viewer. Editors can change flags. An admin of the project can give you the role.'
  }
  // Where approval is required, an editor's change becomes a request, which needs no further permission.
  if (environment.protected && !is.mayChangeProtected && !environment.approvalRequired) {
    return `${name} is protected: changes require the role maintainer. An admin of the project can give it to you.`
  }
  return undefined
}
