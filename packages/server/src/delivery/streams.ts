// The open event streams. A message is made once for each channel and written to every connection of it as it is.

import type { ServerResponse } from 'node:http'
import { limits } from '@telltale/core/limits'

export interface Message {
  id: string
  /** Default: `message`. */
  event?: string
  data: string
}

export interface Streams {
  /** The response belongs to the channel from now on; `first` is written at once. */
  open(channel: string, stream: OpenStream, first: readonly Message[]): void
  send(channel: string, message: Message): void
  /** The messages after the one of this id; nothing when it is not remembered. */
  since(channel: string, id: string): Message[] | undefined
  isFull(): boolean
  close(): void
}

export interface OpenStream {
  response: ServerResponse
  /** The id of the key that opened it. */
  keyId: string
}

interface Channel {
  /** With the id of the key that opened it. */
  responses: Map<ServerResponse, string>
  recent: Message[]
}

const heartbeat = Buffer.from(':\n\n')

/** Streams end, at the next heartbeat, with the key that opened them. */
export function createStreams(isAlive: (keyId: string) => boolean): Streams {
  const channels = new Map<string, Channel>()
  let open = 0

  const channelOf = (name: string) => {
    const channel: Channel = channels.get(name) ?? { responses: new Map(), recent: [] }
    channels.set(name, channel)
    return channel
  }
  const beat = () => {
    for (const { responses } of channels.values()) {
      for (const [response, keyId] of responses) if (!isAlive(keyId)) response.end()
      broadcast(responses.keys(), heartbeat)
    }
  }
  const beating = setInterval(beat, limits.streamHeartbeat)
  beating.unref()

  return {
    open(name, { response, keyId }, first) {
      const { responses } = channelOf(name)
      open += 1
      responses.set(response, keyId)
      response.once('close', () => {
        open -= 1
        responses.delete(response)
      })
      response.write(Buffer.concat([heartbeat, ...first.map(printMessage)]))
    },
    send(name, message) {
      // Remembered also without listeners: one may have lost its connection a moment ago.
      const { responses, recent } = channelOf(name)
      recent.push(message)
      if (recent.length > limits.streamReplay) recent.shift()
      broadcast(responses.keys(), printMessage(message))
    },
    since(name, id) {
      const recent = channels.get(name)?.recent ?? []
      const index = recent.findLastIndex((message) => message.id === id)
      return index < 0 ? undefined : recent.slice(index + 1)
    },
    isFull: () => open >= limits.streams,
    close() {
      clearInterval(beating)
      for (const { responses } of channels.values()) for (const response of responses.keys()) response.end()
    },
  }
}

function printMessage({ id, event = 'message', data }: Message): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
}

function broadcast(responses: Iterable<ServerResponse>, bytes: Buffer): void {
  for (const response of responses) {
    // Who does not read is dropped; it comes back by itself and catches up.
    if (response.writableLength > limits.streamBacklog) response.destroy()
    else if (!response.writableEnded) response.write(bytes)
  }
}
