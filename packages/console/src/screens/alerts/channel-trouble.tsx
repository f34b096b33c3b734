import { Link } from '@tanstack/react-router'
import type { Alert } from '../../api/alerts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type Channel = Alert['channels'][number]

/** It has messages to deliver, but rejects them. */
const isFailing = ({ failingSince, disabledAsFailing }: Channel) => failingSince !== null || disabledAsFailing

/** A member turned it off. */
const isOff = (channel: Channel) => !channel.enabled && !channel.disabledAsFailing

/** Delivery problems of the alert's channels; renders nothing when there are none. */
export function ChannelTrouble({ channels }: Pick<Alert, 'channels'>) {
  if (channels.some(isFailing)) return <span className="block text-12 text-bad">◆ Channel failed</span>
  if (channels.some(isOff)) return <span className="block text-12 text-text-3">○ Channel is off</span>
  return null
}

/** The same in full, with a link. */
export function NotArriving({ channels }: Pick<Alert, 'channels'>) {
  const failing = channels.filter(isFailing)
  const off = channels.filter(isOff)
  if (failing.length + off.length === 0) return null
  const names = (some: Alert['channels']) => some.map(({ name }) => name).join(', ')
  const link = (
    <Link from="/p/$project" to="/p/$project/settings/channels" className={buttonClass()}>
      Channels
    </Link>
  )
  if (failing.length > 0) {
    return (
      <Notice
        title="Notifications are not delivered"
        detail={`${names(failing)}: deliveries fail, or the channel was turned off. See its log for failed deliveries.`}
        action={link}
      />
    )
  }
  return (
    <Notice
      tone="plain"
      title={off.length === channels.length ? 'No active recipients' : 'Some channels are off'}
      detail={`Turned off: ${names(off)}. Notifications are not stored meanwhile.`}
      action={link}
    />
  )
}
