import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { revokeShareLink, type ShareLink, shareLinksKey } from '../../api/share-links.ts'
import { useScope } from '../../shell/scope-context.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Time } from '../../ui/text/time.tsx'

export function RevokeLink({ link, onClose }: { link: ShareLink; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const revocation = useMutation({
    mutationFn: revokeShareLink,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: shareLinksKey(project) })
      onClose()
      showToast({ text: 'Share link revoked.' })
    },
  })
  return (
    <ConfirmDialog
      title="Revoke share link"
      consequence={
        <>
          The link that {link.createdBy} created on <Time at={link.createdAt} /> stops working at once, for
          everyone who has it.
        </>
      }
      verb="Revoke link"
      busy={revocation.isPending}
      problem={revocation.error && toProblem(revocation.error)}
      onConfirm={() => revocation.mutate({ project, shareLink: link.id })}
      onClose={onClose}
    />
  )
}
