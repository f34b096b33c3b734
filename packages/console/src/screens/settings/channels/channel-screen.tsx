import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import {
  type Channel,
  type ChannelRef,
  channelQuery,
  channelsKey,
  channelsQuery,
  deleteChannel,
  redeliverAll,
  rotateChannelSecret,
  testChannel,
  updateChannel,
} from '../../../api/channels.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Button } from '../../../ui/button.tsx'
import { ChannelState, channelKindNames } from '../../../ui/channel-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NewSecret } from '../../../ui/secret.tsx'
import { Async } from '../../../ui/states.tsx'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import type { ChannelSearch } from './channel-search.ts'
import { Deliveries } from './deliveries.tsx'
import { DeliveryPeek } from './delivery-peek.tsx'
import { eventGroups } from './event-words.ts'

/** One channel: its target, its state and its deliveries. */
export function ChannelScreen() {
  const { project } = useScope()
  const { channel: id } = useParams({ from: '/p/$project/settings/channels/$channel' })
  const search = useSearch({ from: '/p/$project/settings/channels/$channel' })
  const navigate = useNavigate({ from: '/p/$project/settings/channels/$channel' })
  const place: ChannelRef = { project, channel: id }
  const channel = useQuery(channelQuery(place))
  const onSearch = useCallback(
    (change: ChannelSearch) =>
      void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false }),
    [navigate],
  )
  return (
    <SectionScreen
      of="settings"
      title={channel.data?.name ?? 'Channel'}
      crumbs={
        <>
          <Icon name="right" className="size-12 text-text-3" />
          <Link from="/p/$project" to="/p/$project/settings/channels" className="shrink-0">
            Channels and webhooks
          </Link>
        </>
      }
    >
      <Async of={channel} isEmpty={() => false}>
        {(found) => (
          <>
            <ChannelPanel channel={found} place={place} onTested={(peek) => onSearch({ peek })} />
            <Deliveries place={place} search={search} onSearch={onSearch} />
          </>
        )}
      </Async>
      {search.peek !== undefined && (
        <DeliveryPeek
          key={search.peek}
          place={{ ...place, delivery: search.peek }}
          onClose={() => onSearch({ peek: undefined })}
        />
      )}
    </SectionScreen>
  )
}

type ChannelPanelProps = { channel: Channel; place: ChannelRef; onTested: (delivery: string) => void }

function ChannelPanel({ channel, place, onTested }: ChannelPanelProps) {
  const queryClient = useQueryClient()
  const changed = () => queryClient.invalidateQueries({ queryKey: channelsKey(place.project) })
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string | null>(null)
  const testing = useMutation({
    mutationFn: testChannel,
    onSuccess: async ({ id }) => {
      await changed()
      onTested(id)
    },
  })
  const switching = useMutation({ mutationFn: updateChannel, onSuccess: changed })
  const sending = useMutation({ mutationFn: redeliverAll, onSuccess: changed })
  const error = testing.error ?? switching.error ?? sending.error
  const problem = error && toProblem(error)
  const turn = () =>
    switching.mutate({ project: place.project, channel, change: { enabled: !channel.enabled } })

  return (
    <>
      <ProblemNotice problem={problem} />
      <Health
        channel={channel}
        turnOn={
          <Button busy={switching.isPending} onClick={turn}>
            Turn on
          </Button>
        }
        sendAgain={
          <Button busy={sending.isPending} onClick={() => sending.mutate(place)}>
            Send {channel.unsent} again
          </Button>
        }
      />
      <Panel
        title="Channel"
        actions={
          <>
            <Button look="primary" busy={testing.isPending} onClick={() => testing.mutate(place)}>
              Send a test
            </Button>
            <Button icon="edit" onClick={() => setOpen('edit')}>
              Change
            </Button>
            <Button busy={switching.isPending} onClick={turn}>
              {channel.enabled ? 'Turn off' : 'Turn on'}
            </Button>
            {channel.secretHint !== null && <Button onClick={() => setOpen('rotate')}>New secret…</Button>}
            <Button look="danger" icon="trash" onClick={() => setOpen('delete')}>
              Delete…
            </Button>
          </>
        }
      >
        <ChannelFacts channel={channel} />
      </Panel>
      {open === 'edit' && <EditChannel channel={channel} onClose={() => setOpen(undefined)} />}
      {open === 'rotate' && (
        <RotateSecret
          channel={channel}
          place={place}
          onMade={(made) => {
            setOpen(undefined)
            setSecret(made)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'delete' && (
        <DeleteChannel channel={channel} place={place} onClose={() => setOpen(undefined)} />
      )}
      {secret !== null && (
        <ShownOnce title="New secret" onClose={() => setSecret(null)}>
          <NewSecret name="secret" value={secret} />
        </ShownOnce>
      )}
    </>
  )
}

type HealthProps = { channel: Channel; turnOn: ReactNode; sendAgain: ReactNode }

/** Delivery problems, and how to fix them. */
function Health({ channel, turnOn, sendAgain }: HealthProps) {
  const { enabled, disabledAsFailing, failingSince, lastFailure, unsent } = channel
  if (!enabled && disabledAsFailing) {
    return (
      <Notice
        title="Turned off after too many failures"
        detail={`${lastFailure ?? ''} Notifications are withheld for 30 days.`}
        action={turnOn}
      />
    )
  }
  if (enabled && failingSince !== null) {
    return (
      <Notice
        tone="warn"
        title="Deliveries fail"
        detail={
          <>
            Since <Time at={failingSince} />. {lastFailure} Each delivery is retried for about a day.
          </>
        }
      />
    )
  }
  if (!enabled || unsent === 0) return null
  return (
    <Notice
      tone="plain"
      title={`${unsent} ${unsent === 1 ? 'delivery was' : 'deliveries were'} failed`}
      detail="They keep their IDs, so receivers can detect duplicates."
      action={sendAgain}
    />
  )
}

function ChannelFacts({ channel }: { channel: Channel }) {
  const { kind, url, addresses, secretHint, events, environments, lastDeliveredAt, waiting } = channel
  return (
    <Facts
      inWords
      facts={[
        ['State', <ChannelState key="state" {...channel} />],
        ['Kind', channelKindNames[kind]],
        kind === 'email'
          ? ['Addresses', addresses.join(', ')]
          : ['Address', <code key="address">{url}</code>],
        ...(secretHint === null ? [] : [['Secret', <code key="secret">…{secretHint}</code>] as const]),
        ['Sends on', noticesText(events)],
        ['Environments', environments.length === 0 ? 'all' : environments.join(', ')],
        ['Last delivered', <TimeAgo key="delivered" at={lastDeliveredAt} />],
        ['Waiting', String(waiting)],
      ]}
    />
  )
}

/** By topic, as in the form. */
function noticesText(events: readonly string[]): string {
  if (events.length === 0) return 'alerts that use it'
  const groups = eventGroups.flatMap((group) => {
    const chosen = group.events.filter(([event]) => events.includes(event)).map(([, label]) => label)
    return chosen.length === 0 ? [] : [`${group.label}: ${chosen.join(', ')}`]
  })
  return groups.join('. ')
}

function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { project } = useScope()
  const { data } = useQuery(channelsQuery(project))
  return <ChannelDialog channel={channel} hasMail={data?.mail ?? false} onClose={onClose} />
}

type StepProps = { channel: Channel; place: ChannelRef; onClose: () => void }

function RotateSecret({
  channel,
  place,
  onMade,
  onClose,
}: StepProps & { onMade: (secret: string | null) => void }) {
  const queryClient = useQueryClient()
  const rotating = useMutation({
    mutationFn: rotateChannelSecret,
    onSuccess: async ({ secret }) => {
      await queryClient.invalidateQueries({ queryKey: channelsKey(place.project) })
      onMade(secret)
    },
  })
  return (
    <ConfirmDialog
      title={`New secret for ${channel.name}`}
      consequence="All deliveries from now on, including waiting ones, are signed with the new secret. The receiver rejects them until it has the secret."
      verb="Create secret"
      busy={rotating.isPending}
      problem={rotating.error ? toProblem(rotating.error) : null}
      onConfirm={() => rotating.mutate(place)}
      onClose={onClose}
    />
  )
}

function DeleteChannel({ channel, place, onClose }: StepProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: deleteChannel,
    onSuccess: async () => {
      await navigate({ to: '/p/$project/settings/channels', params: { project: place.project } })
      await queryClient.invalidateQueries({ queryKey: channelsKey(place.project) })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete channel ${channel.name}`}
      consequence={`Deletes the channel and its log. ${channel.waiting} waiting deliveries will not be sent.`}
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error ? toProblem(deleting.error) : null}
      onConfirm={() => deleting.mutate(place)}
      onClose={onClose}
    />
  )
}
