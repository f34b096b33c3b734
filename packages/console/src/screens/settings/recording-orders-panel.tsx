import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Environment } from '../../api/environments.ts'
import {
  type RecordingOrder,
  type RecordingOrders,
  type RecordingSubject,
  recordingOrdersQuery,
} from '../../api/recording-orders.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'

type RecordingOrdersPanelProps = { project: string; environment: Environment }

/** What is recorded more often now, for what, and what it costs. */
export function RecordingOrdersPanel({ project, environment }: RecordingOrdersPanelProps) {
  const orders = useQuery(recordingOrdersQuery(project, environment.key))
  if (!environment.recordingOrders) return null
  return (
    <Panel title="Recording orders" note="Sessions that are recorded more often now" flush>
      <Async of={orders}>{(found) => <Orders project={project} found={found} />}</Async>
    </Panel>
  )
}

interface Row {
  id: string
  subject: RecordingSubject
  order: RecordingOrder
}

function Orders({ project, found }: { project: string; found: RecordingOrders }) {
  const rows = found.items.flatMap((subject): Row[] =>
    subject.orders.map((order, index) => ({ id: `${subject.id} ${index}`, subject, order })),
  )
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12 py-12">
      <p className="max-w-read px-14 text-pretty text-text-2">{baseText(found, rows.length)}</p>
      {rows.length > 0 && (
        <PlainTable
          label="Recording orders"
          rows={rows}
          rowId={({ id }) => id}
          columns={[
            {
              id: 'for',
              header: 'For',
              cell: ({ subject }) => <Subject project={project} subject={subject} />,
            },
            { id: 'sessions', header: 'Sessions', cell: ({ order }) => <Target order={order} /> },
            {
              id: 'recorded',
              header: 'Replays, 24 h',
              cell: ({ subject, order }) => recordedText(subject, order),
              align: 'end',
            },
            { id: 'replay', header: 'Replays', cell: ({ order }) => percentText(order.replay), align: 'end' },
            {
              id: 'profile',
              header: 'Profiles',
              cell: ({ order }) => percentText(order.profile),
              align: 'end',
            },
            {
              id: 'cost',
              header: 'Cost today',
              cell: ({ order }) => costText(order),
              align: 'end',
            },
          ]}
        />
      )}
    </div>
  )
}

const percentText = (percent: number) => `${Number(percent.toPrecision(3))}%`

function baseText({ sampling, base }: RecordingOrders, count: number): string {
  if (count === 0) return 'No orders: no running rollout, suspected split or fresh issue lacks recordings.'
  return `All other sessions give up as much: ${percentText(base.replay)} of them have a replay instead of ${percentText(sampling.replay)}, and ${percentText(base.profile)} a profile instead of ${percentText(sampling.profile)}.`
}

const subjects = { rollout: 'Rollout of', suspect: 'Split of', issue: 'Issue' } as const

function Subject({ project, subject: { kind, id, name } }: { project: string; subject: RecordingSubject }) {
  const text = (
    <>
      {subjects[kind]} <code>{name}</code>
    </>
  )
  const className = 'block truncate underline'
  if (kind === 'rollout')
    return (
      <Link to="/p/$project/rollouts/$rollout" params={{ project, rollout: id }} className={className}>
        {text}
      </Link>
    )
  return <span className="block truncate">{text}</span>
}

function Target({ order: { variation, page, device, version } }: { order: RecordingOrder }) {
  const parts = [
    ...(variation === null ? [] : [{ name: 'variation', value: variation }]),
    ...(page === null ? [] : [{ name: 'page', value: page }]),
    ...(version === null ? [] : [{ name: 'version', value: version }]),
    ...(device === null ? [] : [{ name: 'device', value: device }]),
  ]
  return (
    <span className="block truncate">
      {parts.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          {name} <code>{value}</code>
        </span>
      ))}
    </span>
  )
}

function recordedText({ parts }: RecordingSubject, order: RecordingOrder): string {
  const part = parts.find(
    ({ variation, page, device, version }) =>
      variation === order.variation &&
      page === order.page &&
      device === order.device &&
      version === order.version,
  )
  return part === undefined ? '–' : `${part.replay.recorded} of ${part.replay.wanted}`
}

function costText({ cost }: RecordingOrder): string {
  const replays = Math.round(cost.replay)
  const profiles = Math.round(cost.profile)
  const texts = [
    ...(replays > 0 ? [`+${replays} ${replays === 1 ? 'replay' : 'replays'}`] : []),
    ...(profiles > 0 ? [`+${profiles} ${profiles === 1 ? 'profile' : 'profiles'}`] : []),
  ]
  return texts.length === 0 ? 'none' : texts.join(', ')
}
