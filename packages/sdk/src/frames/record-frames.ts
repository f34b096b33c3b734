// Takes what frames of other origins report into the recording of the page. Loaded when a page names such origins and
// has a frame that it cannot record.

import { framesAtMost, records } from '@telltale/core/telemetry/replay/codes'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { createAllowance } from '../replay/allowance.ts'
import type { Recorder } from '../replay/recorder.ts'
import type { FrameMask } from '../replay/states.ts'
import type { Sampled } from '../sampled.ts'
import type { PrivacyLevel } from '../settings.ts'
import { type FrameMessage, type FrameRecords, isMessage, type PortMessage } from './messages.ts'

export interface FramesOptions extends Pick<Recorder, 'idOf' | 'write' | 'use'> {
  /** Of frames that may report. */
  origins: readonly string[]
  /** Of the page. */
  level: PrivacyLevel
  report: ReportFault
}

export interface RecordedFrames extends Sampled {
  /** A frame that was written as a box, for the first time or again. */
  add(frame: Element, mask: FrameMask): void
}

interface WrittenFrame {
  bytes: Uint8Array
  assets: readonly string[]
}

interface Connection {
  /** Tells its content apart in the recording. */
  number: number
  port: MessagePort
  /** The recording has the whole frame, so that changes can follow. */
  isWhole: boolean
}

// Of all frames, in the time of a segment.
const messagesAtMost = 200
const bytesAtMost = 4_000_000

export function startFrames({ origins, level, idOf, write, use, report }: FramesOptions): RecordedFrames {
  onFault(report)
  const masks = new Map<Element, FrameMask>()
  const connections = new Map<Element, Connection>()
  const allowance = createAllowance(messagesAtMost, bytesAtMost, Date.now)

  const drop = (frame: Element): Connection | undefined => {
    const connection = connections.get(frame)
    connections.delete(frame)
    if (!connection) return undefined
    tell(connection, 'stop')
    connection.port.close()
    return connection
  }
  const writeFrame = (frame: Element, number: number, { bytes, assets }: WrittenFrame) =>
    write((stream) => {
      const id = idOf(frame)
      if (!id) return
      stream.byte(records.frame)
      for (const each of [id, number, bytes.length]) stream.number(each)
      stream.bytes(bytes)
      assets.forEach(use)
    })
  /** It is a box again. */
  const close = (frame: Element) => {
    const connection = drop(frame)
    if (connection?.isWhole) writeFrame(frame, connection.number, { bytes: new Uint8Array(), assets: [] })
  }
  /** Of frames that the page has removed. */
  const tidy = () => {
    for (const frame of masks.keys()) {
      if (frame.isConnected) continue
      drop(frame)
      masks.delete(frame)
    }
  }
  const freeNumber = () => {
    const taken = new Set([...connections.values()].map(({ number }) => number))
    for (let number = 1; number <= framesAtMost; number++) if (!taken.has(number)) return number
    return undefined
  }
  const take = (frame: Element, data: unknown) => {
    const connection = connections.get(frame)
    const { bytes, full, assets } = readRecords(data)
    if (!connection || !bytes) return
    // Recording has stopped, or the page is being written anew: then it is asked again.
    if (!idOf(frame)) return void drop(frame)
    connection.isWhole ||= full
    if (!connection.isWhole) return
    if (bytes.length === 0 || !allowance.isOpen()) return close(frame)
    allowance.spend(bytes.length)
    writeFrame(frame, connection.number, { bytes, assets })
  }
  const connect = (frame: Element, { isMasked, isFixed }: FrameMask, { source, origin }: MessageEvent) => {
    drop(frame)
    const number = freeNumber()
    if (!number) return
    const { port1: port, port2 } = new MessageChannel()
    connections.set(frame, { number, port, isWhole: false })
    port.onmessage = guarded(({ data }: MessageEvent) => take(frame, data))
    const limit = { level: isMasked ? ('mask-all' as const) : level, permitsUnmask: !isFixed }
    const message: FrameMessage = { telltale: 'replay-record', ...limit }
    ;(source as Window).postMessage(message, origin, [port2])
  }
  /** Says nothing, because the origin of the frame is not known. */
  const ask = (frame: Element) => {
    const message: FrameMessage = { telltale: 'replay-ready' }
    Object(frame).contentWindow?.postMessage(message, '*')
  }
  /** A page that it left reports no more. The next one may have offered to before this event: it is asked again. */
  const onLoad = guarded(({ currentTarget }: Event) => {
    close(currentTarget as Element)
    ask(currentTarget as Element)
  })
  const unlisten = listen<MessageEvent>(globalThis, 'message', (event) => {
    if (!isMessage(event.data, 'replay-frame') || !origins.includes(event.origin)) return
    tidy()
    for (const [frame, mask] of masks)
      if (Object(frame).contentWindow === event.source) connect(frame, mask, event)
  })
  return {
    add(frame, mask) {
      if (!masks.has(frame)) frame.addEventListener('load', onLoad)
      masks.set(frame, mask)
      const connection = connections.get(frame)
      if (connection) {
        connection.isWhole = false
        tell(connection, 'snapshot')
      } else ask(frame)
    },
    note: () => false,
    stop() {
      unlisten()
      for (const frame of masks.keys()) frame.removeEventListener('load', onLoad)
      for (const frame of connections.keys()) drop(frame)
    },
  }
}

const tell = ({ port }: Connection, message: PortMessage) => port.postMessage(message)

/** A frame may send anything. */
function readRecords(data: unknown): Omit<FrameRecords, 'bytes'> & { bytes?: Uint8Array } {
  const { bytes, full, assets } = Object(data)
  const isText = (asset: unknown) => typeof asset === 'string'
  return {
    ...(bytes instanceof ArrayBuffer && { bytes: new Uint8Array(bytes) }),
    full: full === true,
    assets: Array.isArray(assets) ? assets.filter(isText) : [],
  }
}
