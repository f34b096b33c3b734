import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type ChannelRow, channelsQuery } from '../../../api/channels.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { ChannelState, channelKindNames } from '../../../ui/channel-state.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NewSecret } from '../../../ui/secret.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { ChannelDialog } from './channel-dialog.tsx'

interface Made {
  id: string
  secret: string
}

/** Where notifications of the project are sent. */
export function ChannelsScreen() {
  const { project } = useScope()
  const channels = useQuery(channelsQuery(project))
  const navigate = useNavigate()
  const mayManage = useMay('webhooks.manage')
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<Made>()
  const create = () => setCreating(true)
  const open = (channel: string) =>
    void navigate({ to: '/p/$project/settings/channels/$channel', params: { project, channel } })
  const button = useNewButton({ label: 'New channel', mayCreate: mayManage, create })

  return (
    <SectionScreen
      of="settings"
      title="Channels and webhooks"
      lead="Where notifications go: changes, guard decisions, new errors, and alerts that use a channel."
      actions={button}
    >
      <MayNotice permission="webhooks.manage" />
      <Async
        of={channels}
        empty={
          <Panel>
            <Empty title="No channels yet" action={mayManage ? button : undefined}>
              Add a webhook, a chat or an e-mail address. Without one, alerts and guard decisions are shown
              only in the console.
            </Empty>
          </Panel>
        }
      >
        {({ items }) => (
          <DataTable
            label="Channels"
            rows={items}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={mayManage ? managedColumns : columns}
            sorted
            {...(mayManage && { onOpen: ({ id }: ChannelRow) => open(id) })}
          />
        )}
      </Async>
      {isCreating && (
        <ChannelDialog
          channel={undefined}
          hasMail={channels.data?.mail ?? false}
          onMade={({ id, secret }) => {
            setCreating(false)
            if (secret === null) open(id)
            else setMade({ id, secret })
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made && (
        <ShownOnce title="The secret of the channel" onClose={() => open(made.id)}>
          <NewSecret name="secret" value={made.secret} />
          <p className="text-pretty text-text-2">
            Requests are signed with it, so the receiver can verify where they came from.
          </p>
        </ShownOnce>
      )}
    </SectionScreen>
  )
}

const others: readonly Column<ChannelRow>[] = [
  { id: 'kind', header: 'Kind', card: 'none', cell: ({ kind }) => channelKindNames[kind] },
  { id: 'state', header: 'State', cell: (row) => <ChannelState {...row} /> },
  {
    id: 'line',
    header: 'Kind and last delivered',
    onlyInCard: true,
    cell: ({ kind, lastDeliveredAt }) => (
      <span className="text-text-2">
        {channelKindNames[kind]} · last delivered <TimeAgo at={lastDeliveredAt} />
      </span>
    ),
  },
  {
    id: 'delivered',
    header: 'Last delivered',
    card: 'none',
    cell: ({ lastDeliveredAt }) => <TimeAgo at={lastDeliveredAt} />,
  },
]

const columns: readonly Column<ChannelRow>[] = [
  {
    id: 'name',
    header: 'Channel',
    fixed: true,
    card: 'title',
    cell: ({ name }) => <span className="font-medium [overflow-wrap:anywhere]">{name}</span>,
  },
  ...others,
]

const managedColumns: readonly Column<ChannelRow>[] = [
  {
    id: 'name',
    header: 'Channel',
    fixed: true,
    card: 'title',
    cell: ({ id, name }) => (
      <Link
        from="/p/$project"
        to="/p/$project/settings/channels/$channel"
        params={{ channel: id }}
        className="font-medium [overflow-wrap:anywhere]"
      >
        {name}
      </Link>
    ),
  },
  ...others,
]
