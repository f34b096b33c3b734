import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { archiveFlag, deleteFlag, flagsKey, restoreFlag, type WholeFlag } from '../../../api/flags.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { TimeAgo, useNow } from '../../../ui/text/time.tsx'

/** The end of a flag: first it is archived, then, once it is no longer evaluated, deleted. */
export function ArchivePanel({ flag }: { flag: WholeFlag }) {
  const mayChange = useMay('flags.change') && !flag.managed
  const [open, setOpen] = useState<'archive' | 'delete'>()
  const isArchived = flag.archivedAt !== null
  const isNeeded = flag.requiredBy.some(({ archived }) => !archived)

  return (
    <Panel title={isArchived ? 'Delete' : 'Archive'}>
      <div className="grid gap-12">
        {!isArchived && (
          <div className="flex flex-wrap items-center justify-between gap-12">
            <p className="min-w-0 max-w-read flex-1 text-pretty text-text-2">
              An archived flag is not served: applications get the default in their code. You can restore it
              at any time.
            </p>
            <Button look="danger" disabled={!mayChange || isNeeded} onClick={() => setOpen('archive')}>
              Archive flag…
            </Button>
          </div>
        )}
        <InUse flag={flag} />
        <div className="flex flex-wrap items-center justify-between gap-12">
          <div className="min-w-0 max-w-read flex-1 text-pretty text-text-2">
            <DeleteReason flag={flag} />
          </div>
          <Button
            look="danger"
            disabled={!mayChange || !isArchived || flag.requiredBy.length > 0}
            onClick={() => setOpen('delete')}
          >
            Delete flag…
          </Button>
        </div>
      </div>
      {open === 'archive' && <Archive flag={flag} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <Delete flag={flag} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

/** Flags and rules that depend on it and block archiving. */
function InUse({ flag }: { flag: WholeFlag }) {
  const { project, environments } = useScope()
  if (flag.requiredBy.length === 0) return null
  return (
    <Notice
      tone="warn"
      title="In use by"
      detail={
        <>
          {flag.requiredBy.map((one) => (
            <span key={`${one.flag} ${one.env}`} className="block min-w-0 break-words">
              <Link
                to="/p/$project/flags/$flag/targeting"
                params={{ project, flag: one.flag }}
                search={{ env: one.env }}
                className="font-code text-12"
              >
                {one.flag}
              </Link>{' '}
              in {environments.find(({ key }) => key === one.env)?.name ?? one.env}
              {one.archived && ', archived'}
            </span>
          ))}
          It is a prerequisite there. Remove it first.
        </>
      }
    />
  )
}

/** Why it cannot be deleted yet, or what to consider first. */
function DeleteReason({ flag }: { flag: WholeFlag }) {
  const now = useNow()
  const last = flag.lifecycle.lastEvaluatedAt
  if (flag.archivedAt === null) return <>Archive the flag before deleting it.</>
  if (last !== null && now - Date.parse(last) < limits.flagDeletableAfter) {
    return (
      <>
        Still in use: last evaluated <TimeAgo at={last} />. After a week without evaluations its code is
        likely gone. Until then, you must type its key to delete it.
      </>
    )
  }
  return <>Deletes the flag with its targeting and history in every environment.</>
}

type EndProps = { flag: WholeFlag; onClose: () => void }

function Archive({ flag, onClose }: EndProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: flagsKey(project) })
  const restoring = useMutation({
    mutationFn: restoreFlag,
    onSuccess: refresh,
    onError: (error) => showToast({ text: `Not restored: ${toProblem(error).title}` }),
  })
  const archiving = useMutation({
    mutationFn: archiveFlag,
    onSuccess: async () => {
      onClose()
      showToast({
        text: `${flag.key} archived.`,
        undo: () => restoring.mutate({ project, flag: flag.key }),
      })
      await refresh()
    },
  })
  return (
    <ConfirmDialog
      title={`Archive ${flag.key}`}
      consequence={
        <>
          Applications that still evaluate it immediately get the default in their code, in every environment.
          Last evaluated <TimeAgo at={flag.lifecycle.lastEvaluatedAt} />.
        </>
      }
      verb="Archive flag"
      busy={archiving.isPending}
      problem={archiving.error && toProblem(archiving.error)}
      onConfirm={() => archiving.mutate({ project, flag: flag.key })}
      onClose={onClose}
    />
  )
}

function Delete({ flag, onClose }: EndProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useMutation({
    mutationFn: deleteFlag,
    onSuccess: async () => {
      await navigate({ to: '/p/$project/flags', params: { project }, search: {} })
      queryClient.removeQueries({ queryKey: [...flagsKey(project), flag.key] })
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
      showToast({ text: `${flag.key} deleted.` })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${flag.key}`}
      consequence={
        <>
          This deletes its targeting and history in every environment and can only be undone from a backup.
          Last evaluated <TimeAgo at={flag.lifecycle.lastEvaluatedAt} />.
        </>
      }
      verb="Delete flag"
      typed={flag.key}
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate({ project, flag: flag.key })}
      onClose={onClose}
    />
  )
}
