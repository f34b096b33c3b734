// One open live tail: queued events are written at every turn, and the number left out once a second. Nothing is
// written to a slow reader, so that it uses no more memory than one that keeps up.

import type { ServerResponse } from 'node:http'
import type { LiveEvent, LiveMessage } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'
import type { Watcher } from './live-tail.ts'
import { eventsPerTurn, type Taken } from './waiting.ts'

interface StreamParts {
  watchers: readonly Watcher[]
  isStoreAway(): boolean
  earlier: Promise<LiveEvent[]>
  onClose(): void
}

const turnsPerPace = Math.round(1_000 / limits.liveInterval)
const turnsPerHeartbeat = Math.round(limits.streamHeartbeat / limits.liveInterval)
/** Time to read the end of the stream; slower readers are disconnected. */
const endPatience = 5_000
/** Jitter, so that streams that were opened together do not all reconnect together. */
const jitter = 0.1

export function writeStream(
  response: ServerResponse,
  { watchers, isStoreAway, earlier, onClose }: StreamParts,
): void {
  let turn = 0
  let wroteAt = 0
  const pace = { arrived: 0, sent: 0 }
  let lastPace = ''
  const write = (text: string) => {
    wroteAt = turn
    response.write(text)
  }
  const printPace = () => {
    const { arrived, sent } = pace
    const dropped = Math.max(0, arrived - sent)
    const store = isStoreAway() ? 'away' : 'available'
    Object.assign(pace, { arrived: 0, sent: 0 })
    // No report while no events are left out.
    const now = `${dropped} ${store}`
    if (dropped === 0 && now === lastPace) return
    lastPace = now
    write(print({ type: 'pace', arrived, dropped, store }))
  }
  const takeTurn = () => {
    turn += 1
    if (response.writableLength > limits.liveBacklog) return
    const { events, arrived } = merge(watchers.map(({ take }) => take()))
    pace.arrived += arrived
    pace.sent += events.length
    if (events.length > 0) write(print({ type: 'events', events, earlier: false }))
    if (turn % turnsPerPace === 0) printPace()
    if (turn - wroteAt >= turnsPerHeartbeat) write(':\n\n')
  }

  printPace()
  const turns = setInterval(takeTurn, limits.liveInterval)
  const lifetime = limits.liveLifetime * (1 - jitter * Math.random())
  const ending = setTimeout(() => endStream(response), lifetime)
  for (const timer of [turns, ending]) timer.unref()
  const close = () => {
    clearInterval(turns)
    clearTimeout(ending)
    for (const watcher of watchers) watcher.stop()
    onClose()
  }
  if (response.destroyed) close()
  else response.once('close', close)
  void earlier.then((events) => {
    if (response.writable) write(print({ type: 'events', events, earlier: true }))
  })
}

function merge(taken: readonly Taken[]): Taken {
  const events = taken.flatMap((one) => one.events)
  const arrived = taken.reduce((sum, one) => sum + one.arrived, 0)
  if (taken.length > 1) events.sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1))
  return { events: events.slice(-eventsPerTurn), arrived }
}

export function endStream(response: ServerResponse): void {
  response.end()
  const cutting = setTimeout(() => response.destroy(), endPatience)
  cutting.unref()
  response.once('close', () => clearTimeout(cutting))
}

function print(message: LiveMessage): string {
  return `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}
