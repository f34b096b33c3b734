// Records a page in a frame for the page of another origin that shows it. Nothing is sent from here, but style sheets
// and fonts. Loaded in frames whose parent is in `replayParents`.

import type { EventContext } from '@telltale/core/contract/events'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { type Capture, type CaptureOptions, startCapture } from '../replay/capture.ts'
import type { MaskingOptions } from '../replay/masking.ts'
import type { Recorder } from '../replay/recorder.ts'
import type { Segment } from '../replay/segment.ts'
import { createSegmentWriter, type SegmentWriter } from '../replay/segment-writer.ts'
import { startAssets } from '../replay/start-assets.ts'
import type { Sampled } from '../sampled.ts'
import { stricterLevel } from '../settings.ts'
import type { Server } from '../transport/send.ts'
import { type FrameMessage, type FrameRecords, isMessage } from './messages.ts'

export interface ReportOptions extends MaskingOptions {
  server: Server
  /** Of the page that shows this one. */
  parentOrigin: string
  /** Other origins whose style sheets may be fetched. */
  origins?: readonly string[] | undefined
  context: EventContext
  onFrame?: CaptureOptions['onFrame']
  report: ReportFault
}

export interface ReportedPage extends Sampled, Pick<Recorder, 'idOf' | 'write' | 'use'> {}

interface Reporting {
  capture: Capture
  writer: SegmentWriter
  stop(): void
}

/** What is recorded leaves the frame so often, milliseconds: its page compresses it. */
const every = 250

export function startReporting(options: ReportOptions): ReportedPage {
  const { parentOrigin, report } = options
  onFault(report)
  let reporting: Reporting | undefined
  const say = (message: FrameMessage) => parent.postMessage(message, parentOrigin)
  const unlisten = listen<MessageEvent>(globalThis, 'message', ({ source, origin, data, ports: [port] }) => {
    if (source !== parent || origin !== parentOrigin) return
    if (isMessage(data, 'replay-ready')) say({ telltale: 'replay-frame' })
    else if (isMessage(data, 'replay-record') && port) {
      reporting?.stop()
      const level = stricterLevel(options.level, data.level)
      const permitsUnmask = options.permitsUnmask && data.permitsUnmask === true
      reporting = reportInto(port, { ...options, level, permitsUnmask })
    }
  })
  say({ telltale: 'replay-frame' })
  return {
    note: () => false,
    idOf: (box) => reporting?.capture.idOf(box) ?? 0,
    write: (...record) => reporting?.capture.write(...record),
    use: (asset) => reporting?.writer.use(asset),
    stop() {
      unlisten()
      reporting?.stop()
    },
  }
}

function reportInto(port: MessagePort, options: ReportOptions): Reporting {
  const assets = startAssets({ ...options, isHeld: false })
  const writer = createSegmentWriter({
    context: () => options.context,
    nextNode: () => capture.nextNode(),
    settled: assets.settled,
    onCut: (segment) => send(port, segment),
    longest: every,
    pack: async (bytes) => bytes,
  })
  const stop = guarded(() => {
    port.close()
    assets.stop()
    capture.stop()
    writer.clear()
  })
  const capture = startCapture({
    ...options,
    assets,
    writer,
    // The parent says when its own page is written anew.
    checkpoint: () => Number.POSITIVE_INFINITY,
    onStop() {
      const nothing: FrameRecords = { bytes: new ArrayBuffer(), full: false, assets: [] }
      port.postMessage(nothing)
      stop()
    },
  })
  port.onmessage = guarded(({ data }: MessageEvent) => (data === 'snapshot' ? capture.snapshot() : stop()))
  return { capture, writer, stop }
}

function send(port: MessagePort, { body, sizeBytes, full, assets }: Segment): void {
  const bytes = new Uint8Array(sizeBytes)
  let length = 0
  for (const piece of body) {
    bytes.set(piece, length)
    length += piece.length
  }
  const message: FrameRecords = { bytes: bytes.buffer, full, assets }
  port.postMessage(message, [bytes.buffer])
}
