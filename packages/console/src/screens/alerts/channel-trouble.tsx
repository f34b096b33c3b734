import { Link } from '@tanstack/react-router'
import type { Alert } from '../../api/alerts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type Channel = Alert['channels'][number]

/** It is to be told, and takes nothing. */
const isFailing = ({ failingSince, disabledAsFailing }: Channel) => failingSince !== null || disabledAsFailing

/** Somebody turned it off. */
const isOff = (channel: Channel) => !channel.enabled && !channel.disabledAsFailing

/** Whether what an alert says arrives; nothing while it does. */
export function ChannelTrouble({ channels }: Pick<Alert, 'channels'>) {
  if (channels.some(isFailing)) return <span className="block text-12 text-bad">◆ Channel failed</span>
  if (channels.some(isOff)) return <span className="block text-12 text-text-3">○ Channel is off</span>
  return null
}

/** The same at length, with where to look. */
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
