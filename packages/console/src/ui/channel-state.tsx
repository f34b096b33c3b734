import { Badge } from './tag.tsx'
import { Time } from './text/time.tsx'

export const channelKindNames = { webhook: 'Webhook', slack: 'Slack-compatible', email: 'Mail' } as const

type Health = {
  enabled: boolean
  disabledAsFailing: boolean
  failingSince: string | null
}

/** The state of a channel, as a word and a mark. */
export function ChannelState({ enabled, disabledAsFailing, failingSince }: Health) {
  if (!enabled && disabledAsFailing) return <Badge tone="bad">◆ Turned off after repeated failures</Badge>
  if (!enabled) return <Badge>○ Off</Badge>
  if (failingSince === null) return <Badge tone="ok">● On</Badge>
  return (
    <Badge tone="bad">
      ◆ Failing since <Time at={failingSince} />
    </Badge>
  )
}
