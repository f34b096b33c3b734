// Turns a change of a rule set into the messages of its streams.

import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { RuleSetChange } from './build-rule-set.ts'
import type { Message, Streams } from './streams.ts'

type Protocol = 'ofrep' | 'sdk' | 'flagsmith'

/** All connections of a channel get the same bytes. Channels of client keys contain visible flags only. */
export function channelOf(protocol: Protocol, environmentId: string, kind: KnownKey['kind']): string {
  return `${protocol} ${kind} ${environmentId}`
}

export function publish(
  streams: Streams,
  environmentId: string,
  { change, now }: { change: RuleSetChange; now: number },
): void {
  const { version } = change
  // Flagsmith's clients fetch everything again; the message contains only the time.
  const message = updatedMessage(version, now)
  for (const kind of ['client', 'server'] as const) {
    const flags = kind === 'client' ? change.visible : change.flags
    if (flags?.size === 0) continue
    streams.send(channelOf('ofrep', environmentId, kind), refetchMessage(version, now))
    streams.send(channelOf('flagsmith', environmentId, kind), message)
    streams.send(
      channelOf('sdk', environmentId, kind),
      flags ? flagsMessage(version, flags) : resyncMessage(version),
    )
  }
}

export function refetchMessage(version: string, now: number): Message {
  const data = { type: 'refetchEvaluation', etag: version, lastModified: Math.floor(now / 1_000) }
  return { id: version, data: JSON.stringify(data) }
}

/** Flagsmith's clients compare the time with that of their last response. */
export function updatedMessage(version: string, changedAt: number): Message {
  return {
    id: version,
    event: 'environment_updated',
    data: JSON.stringify({ updated_at: changedAt / 1_000 }),
  }
}

/** Without flags, it announces the version at which the stream starts. */
export function flagsMessage(version: string, flags: Iterable<string> = []): Message {
  return { id: version, data: JSON.stringify({ version, flags: [...flags] }) }
}

/** Any flag may have changed. */
export function resyncMessage(version: string): Message {
  return { id: version, data: JSON.stringify({ version, resync: true }) }
}
