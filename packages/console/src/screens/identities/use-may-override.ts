import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'

/** Whether the account may set overrides in this environment, and if not, why. */
export function useMayOverride(): { may: boolean; reason: string | undefined } {
  const { environment } = useScope()
  const mayChange = useMay('flags.change', environment.key)
  const mayChangeProtected = useMay('flags.change-protected', environment.key)
  if (environment.protected && !mayChangeProtected) {
    return { may: false, reason: `${environment.name} is protected: only maintainers can add overrides.` }
  }
  return mayChange
    ? { may: true, reason: undefined }
    : { may: false, reason: 'Read-only: editors add overrides.' }
}
