import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { deleteSegment, segmentQuery, segmentsQuery, type UsedSegment } from '../../api/segments.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { type FlagUse, usesOf } from './segment-uses.ts'

type SegmentUsageProps = { project: string; segment: UsedSegment; isReadOnly: boolean }

/** Its uses, its metadata, and how to delete it. */
export function SegmentUsage({ project, segment, isReadOnly }: SegmentUsageProps) {
  const [isDeleting, setDeleting] = useState(false)
  const uses = usesOf(segment)

  return (
    <div className="grid min-w-0 gap-16">
      <Panel title="In use by" flush>
        {uses.length === 0 ? (
          <p className="px-14 py-12 text-text-2">
            No flags. Use it in a rule: <code>segment is in {segment.key}</code>.
          </p>
        ) : (
          <UseList uses={uses} />
        )}
      </Panel>
      <Panel title="Details">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-16 gap-y-6">
          <dt className="text-text-2">Key</dt>
          <dd className="flex min-w-0">
            <CopyText text={segment.key} label="Copy the key" />
          </dd>
          <dt className="text-text-2">Version</dt>
          <dd>{segment.version}</dd>
          <dt className="text-text-2">Created</dt>
          <dd>
            <Time at={segment.createdAt} />
          </dd>
        </dl>
      </Panel>
      <Button look="danger" icon="trash" disabled={isReadOnly} onClick={() => setDeleting(true)}>
        Delete segment
      </Button>
      {isDeleting &&
        (uses.length > 0 ? (
          <StillInUse segment={segment} uses={uses} onClose={() => setDeleting(false)} />
        ) : (
          <DeleteDialog project={project} segment={segment} onClose={() => setDeleting(false)} />
        ))}
    </div>
  )
}

function UseList({ uses }: { uses: readonly FlagUse[] }) {
  const { environments, environment } = useScope()
  const nameOf = (key: string) => environments.find((one) => one.key === key)?.name ?? key
  return (
    <ul className="max-h-[40vh] divide-y divide-line overflow-y-auto">
      {uses.map(({ flag, environments: used }) => (
        <li key={flag} className="grid min-w-0 gap-4 px-14 py-8">
          <FlagLink flag={flag} env={envToOpen(used, environment.key)} />
          <span className="flex flex-wrap gap-4">
            {used.map((env) => (
              <Badge key={env}>{nameOf(env)}</Badge>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The environment of the screen if the segment is used there, else the first one that uses it. */
function envToOpen(used: readonly string[], shown: string): string {
  return used.includes(shown) ? shown : (used[0] ?? shown)
}

function StillInUse(props: { segment: UsedSegment; uses: readonly FlagUse[]; onClose: () => void }) {
  const { segment, uses, onClose } = props
  return (
    <Dialog
      title={`${segment.key} is still in use`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p className="text-pretty text-text-2">
        Rules of {uses.length === 1 ? 'this flag use' : 'these flags name'} it (including archived flags).
        Remove it from these rules before deleting it.
      </p>
      <UseList uses={uses} />
    </Dialog>
  )
}

function DeleteDialog(props: { project: string; segment: UsedSegment; onClose: () => void }) {
  const { project, segment, onClose } = props
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useMutation({
    mutationFn: deleteSegment,
    onSuccess: async () => {
      showToast({ text: `${segment.key} deleted.` })
      await navigate({ to: '/p/$project/segments', params: { project }, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: segmentQuery(project, segment.key).queryKey })
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(project).queryKey })
    },
    onError: (error) => {
      // A rule has started to use it in the meantime: the list of uses explains that.
      if (toProblem(error).is('in-use')) {
        void queryClient.invalidateQueries({ queryKey: segmentQuery(project, segment.key).queryKey })
      }
    },
  })

  return (
    <ConfirmDialog
      title={`Delete segment ${segment.key}`}
      consequence="No flag uses it, so no user is affected. The audit log keeps its conditions."
      verb="Delete segment"
      busy={deletion.isPending}
      problem={deletion.error && toProblem(deletion.error)}
      onConfirm={() => deletion.mutate({ project, segment: segment.key })}
      onClose={onClose}
    />
  )
}
