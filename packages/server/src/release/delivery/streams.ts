// The open event streams. Each message is built once per channel and written unchanged to all its connections.

import type { ServerResponse } from 'node:http'
import { limits } from '@telltale/core/limits'

export interface Message {
  id: string
  /** Default: `message`. */
  event?: string
  data: string
}

export interface Streams {
  /** Hands the response over to the channel; `first` is written immediately. */
  open(channel: string, stream: OpenStream, first: readonly Message[]): void
  send(channel: string, message: Message): void
  /** The messages after this id; undefined if it is no longer kept. */
  since(channel: string, id: string): Message[] | undefined
  isFull(): boolean
  /** The limit that prevents another stream; undefined if none does. */
  refusalOf(requested: { address: string; environmentId: string }): 'address' | 'environment' | undefined
  /** Ends the streams that are open now, evenly over `span` milliseconds, so that clients do not return all at once. */
  endWithin(span: number): void
  close(): void
}

export interface OpenStream {
  response: ServerResponse
  /** The id of the key that opened it. */
  keyId: string
  environmentId: string
  /** The client's address, normalized for its limit. */
  address: string
  /** The page's origin, if sent. */
  origin: string | undefined
}

interface Channel {
  /** With the request that opened each. */
  responses: Map<ServerResponse, OpenStream>
  recent: Message[]
}

const endingInterval = 100

const heartbeat = Buffer.from(':\n\n')

interface StreamsOptions {
  /** Whether the key that opened a stream may still be used from that origin. */
  mayStay(stream: Pick<OpenStream, 'keyId' | 'origin'>): boolean
  perAddress: number
  /** Of the process. */
  most?: number
  perEnvironment?: number
}

/** Streams end a few seconds after their key is revoked. */
export function createStreams({
  mayStay,
  perAddress,
  most = limits.streams,
  perEnvironment = limits.streamsPerEnvironment,
}: StreamsOptions): Streams {
  const byAddress = createCounts()
  const byEnvironment = createCounts()
  const channels = new Map<string, Channel>()
  let open = 0

  const channelOf = (name: string) => {
    const channel: Channel = channels.get(name) ?? { responses: new Map(), recent: [] }
    channels.set(name, channel)
    return channel
  }
  const beat = () => {
    for (const { responses } of channels.values()) broadcast(responses.keys(), heartbeat)
  }
  const endRefused = () => {
    for (const { responses } of channels.values()) {
      for (const [response, stream] of responses) if (!mayStay(stream)) response.end()
    }
  }
  const timers = [
    setInterval(beat, limits.streamHeartbeat),
    setInterval(endRefused, limits.streamRightInterval),
  ]
  for (const timer of timers) timer.unref()

  return {
    open(name, stream, first) {
      const { response, address, environmentId } = stream
      const { responses } = channelOf(name)
      open += 1
      byAddress.add(address, 1)
      byEnvironment.add(environmentId, 1)
      responses.set(response, stream)
      response.once('close', () => {
        open -= 1
        byAddress.add(address, -1)
        byEnvironment.add(environmentId, -1)
        responses.delete(response)
      })
      response.write(Buffer.concat([heartbeat, ...first.map(printMessage)]))
    },
    send(name, message) {
      // Also kept without connections: a client may have just lost its connection.
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
    isFull: () => open >= most,
    refusalOf({ address, environmentId }) {
      if (byAddress.of(address) >= perAddress) return 'address'
      return byEnvironment.of(environmentId) >= perEnvironment ? 'environment' : undefined
    },
    endWithin(span) {
      const left = [...channels.values()].flatMap(({ responses }) => [...responses.keys()])
      const each = Math.ceil((left.length * endingInterval) / span)
      const endSome = () => {
        for (const response of left.splice(0, each)) response.end()
        if (left.length === 0) clearInterval(ending)
      }
      const ending = setInterval(endSome, endingInterval)
      ending.unref()
    },
    close() {
      for (const timer of timers) clearInterval(timer)
      for (const { responses } of channels.values()) for (const response of responses.keys()) response.end()
    },
  }
}

function createCounts() {
  const counts = new Map<string, number>()
  return {
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string, more: number): void {
      const count = (counts.get(key) ?? 0) + more
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

function printMessage({ id, event = 'message', data }: Message): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
}

function broadcast(responses: Iterable<ServerResponse>, bytes: Buffer): void {
  for (const response of responses) {
    // A client that does not read is disconnected; it reconnects automatically and catches up.
    if (response.writableLength > limits.streamBacklog) response.destroy()
    else if (!response.writableEnded) response.write(bytes)
  }
}
