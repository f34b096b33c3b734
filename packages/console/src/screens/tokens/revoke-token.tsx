import { useMutation } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import type { ApiToken } from '../../api/tokens.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'

type RevokeTokenProps = {
  token: ApiToken
  revoke: (token: ApiToken) => Promise<unknown>
  onDone: () => Promise<unknown>
  onClose: () => void
}

export function RevokeToken({ token, revoke, onDone, onClose }: RevokeTokenProps) {
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: async () => {
      await onDone()
      onClose()
      showToast({ text: `${token.name} revoked.` })
    },
  })

  return (
    <ConfirmDialog
      title={`Revoke ${token.name}`}
      consequence="Scripts that use it are refused immediately."
      verb="Revoke token"
      busy={revocation.isPending}
      problem={revocation.error && toProblem(revocation.error)}
      onConfirm={() => revocation.mutate(token)}
      onClose={onClose}
    />
  )
}
