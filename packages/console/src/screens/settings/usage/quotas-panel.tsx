import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { deleteQuota, type Quota, quotasQuery } from '../../../api/quotas.ts'
import { amountText, meterWords } from '../../../features/usage/usage-words.ts'
import { useMay } from '../../../shell/account.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/menu.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { shareText } from '../../../ui/text/measure-text.ts'
import { QuotaDialog } from './quota-dialog.tsx'
import { SpikeProtection } from './spike-protection.tsx'

type Opened = { kind: 'new' } | { kind: 'change' | 'delete'; quota: Quota }

/** What the project may use, and what happens above it. */
export function QuotasPanel({ project }: { project: string }) {
  const quotas = useQuery(quotasQuery(project))
  const mayManage = useMay('project.manage')
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <Panel
      title="Quotas"
      actions={
        <Button
          icon="plus"
          disabled={!mayManage}
          title={mayManage ? undefined : 'Read-only: admins set quotas.'}
          onClick={() => setOpened({ kind: 'new' })}
        >
          Add quota
        </Button>
      }
    >
      <Async of={quotas}>
        {({ items, spikeProtection }) => (
          <div className="grid min-w-0 gap-16">
            {items.length === 0 && (
              <p className="max-w-read text-pretty text-text-2">
                No quotas. Above a quota, replays and profiles pause first, then whole sessions are sampled.
                Flag evaluations are never refused.
              </p>
            )}
            {items.length > 0 && (
              <ul aria-label="Quotas" className="grid gap-12">
                {items.map((quota) => (
                  <QuotaRow key={quota.id} quota={quota} mayManage={mayManage} onOpen={setOpened} />
                ))}
              </ul>
            )}
            <SpikeProtection project={project} settings={spikeProtection} />
          </div>
        )}
      </Async>
      {opened?.kind === 'new' && <QuotaDialog project={project} onClose={close} />}
      {opened?.kind === 'change' && <QuotaDialog project={project} quota={opened.quota} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteQuota project={project} quota={opened.quota} onClose={close} />}
    </Panel>
  )
}

interface QuotaRowProps {
  quota: Quota
  mayManage: boolean
  onOpen: (opened: Opened) => void
}

function QuotaRow({ quota, mayManage, onOpen }: QuotaRowProps) {
  const { meter, period, most, key, used, level } = quota
  const title = `${meterWords[meter]} per ${period}${key === null ? '' : `, key ${key.label}`}`
  const share = used / most
  const colour = level === 'over' ? 'bg-bad-fill' : level === 'near' ? 'bg-warn-fill' : 'bg-accent-fill'
  return (
    <li className="grid gap-4">
      <span className="flex flex-wrap items-center gap-x-12 gap-y-4">
        <span className="font-medium">{title}</span>
        <LevelBadge quota={quota} />
        <span className="ml-auto text-text-2 tabular-nums">
          {amountText(meter, used)} of {amountText(meter, most)}{' '}
          <span className="text-text-3">{shareText(share)}</span>
        </span>
        {mayManage && (
          <Menu align="end" trigger={<IconButton small icon="more" label={`Actions of ${title}`} />}>
            <MenuItem icon="edit" onSelect={() => onOpen({ kind: 'change', quota })}>
              Change…
            </MenuItem>
            <MenuItem icon="trash" danger onSelect={() => onOpen({ kind: 'delete', quota })}>
              Delete…
            </MenuItem>
          </Menu>
        )}
      </span>
      <span
        role="img"
        aria-label={`${title}: ${shareText(share)} used`}
        className="block h-8 overflow-hidden rounded-control bg-sunken"
      >
        <span className={`block h-full ${colour}`} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
    </li>
  )
}

function LevelBadge({ quota: { level, share, pausesRecording } }: { quota: Quota }) {
  if (level === 'ok') return null
  if (level === 'near') return <Badge tone="warn">Over 80%</Badge>
  const parts = [
    ...(pausesRecording ? ['recording paused'] : []),
    ...(share < 1 ? [`${shareText(share)} of sessions stored`] : []),
  ]
  return <Badge tone="bad">{['Used up', ...parts].join(', ')}</Badge>
}

interface DeleteQuotaProps {
  project: string
  quota: Quota
  onClose: () => void
}

function DeleteQuota({ project, quota, onClose }: DeleteQuotaProps) {
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: deleteQuota,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: quotasQuery(project).queryKey })
      onClose()
      showToast({ text: 'Quota deleted.' })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the quota of ${meterWords[quota.meter].toLowerCase()}`}
      consequence="Everything is stored again within seconds."
      verb="Delete quota"
      danger
      busy={deleting.isPending}
      problem={deleting.error && toProblem(deleting.error)}
      onConfirm={() => deleting.mutate({ project, quota: quota.id })}
      onClose={onClose}
    />
  )
}
