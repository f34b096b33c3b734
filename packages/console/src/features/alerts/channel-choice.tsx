import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { useScope } from '../../shell/scope-context.ts'
import { ChannelState, channelKindNames } from '../../ui/channel-state.tsx'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Async } from '../../ui/states.tsx'

interface ChannelChoiceProps {
  chosen: readonly string[]
  onChosen: (channels: string[]) => void
  disabled?: boolean
  /** What happens without any, as a sentence. */
  without: string
}

/** The channels of a project, and the delivery state of each. */
export function ChannelChoice({ chosen, onChosen, disabled = false, without }: ChannelChoiceProps) {
  const { project } = useScope()
  const channels = useQuery(channelsQuery(project))
  return (
    <Async of={channels} empty={<NoChannels>No channels yet. {without}</NoChannels>}>
      {({ items }) => (
        <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
          <legend className="sr-only">Channels</legend>
          {items.map((channel) => (
            <span key={channel.id} className="flex flex-wrap items-center gap-8">
              <Checkbox
                label={channel.name}
                checked={chosen.includes(channel.id)}
                disabled={disabled}
                onChecked={(isChosen) =>
                  onChosen(isChosen ? [...chosen, channel.id] : chosen.filter((one) => one !== channel.id))
                }
              />
              <span className="text-12 text-text-3">{channelKindNames[channel.kind]}</span>
              {(!channel.enabled || channel.failingSince !== null) && <ChannelState {...channel} />}
            </span>
          ))}
          {chosen.length === 0 && <NoChannels>No channel selected. {without}</NoChannels>}
        </fieldset>
      )}
    </Async>
  )
}

function NoChannels({ children }: { children: ReactNode }) {
  return (
    <p className="text-text-2">
      {children}{' '}
      <Link from="/p/$project" to="/p/$project/settings/channels" className="text-accent underline">
        Channels and webhooks
      </Link>
    </p>
  )
}
