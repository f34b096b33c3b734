// Converts what the SDK sent into a recording that can be repeated: at another address and time, with a new build of
// the shop.

import { SourceMap } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { SegmentHeader } from '@telltale/core/contract/attachments'
import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { type RecordedFrame, type Recording, scriptPlace, shopPlace } from '../../demo/history/recording.ts'
import type { Sent } from './listen-in.ts'

export interface BuiltScript {
  /** Relative to the shop's address. */
  file: string
  map: string
}

interface Told extends Pick<Recording, 'name' | 'story' | 'device'> {
  flags: Record<string, string>
  /** The shop's address during the recording. */
  shop: string
  scripts: readonly BuiltScript[]
}

const newline = 0x0a

export function toRecording(sent: readonly Sent[], reported: Told): Recording {
  const { contexts, events } = readEvents(sent)
  const segments = sent
    .filter(({ kind }) => kind === 'replay')
    .map(({ body }) => {
      const end = body.indexOf(newline)
      const header: SegmentHeader = JSON.parse(body.subarray(0, end).toString())
      return { header, body: body.subarray(end + 1).toString('base64') }
    })
  const times = [
    ...events.map(({ at }) => at),
    ...segments.flatMap(({ header: { segment } }) => [segment.startedAt, segment.endedAt]),
  ]
  const read = new Set(contexts.flatMap(({ reads = [] }) => reads.map(({ flag }) => flag)))
  const recording: Recording = {
    name: reported.name,
    story: reported.story,
    device: reported.device,
    flags: Object.fromEntries(Object.entries(reported.flags).filter(([flag]) => read.has(flag))),
    startedAt: Math.min(...times),
    endedAt: Math.max(...times),
    contexts,
    events: events.map((event) => withFrames(event, reported)),
    segments,
    assets: sent
      .filter(({ kind }) => kind === 'asset')
      .map(({ query, body }) => ({
        hash: query.get('hash') ?? '',
        type: query.get('type') ?? '',
        body: body.toString('base64'),
      })),
  }
  const script = reported.scripts[0]?.file ?? ''
  const text = JSON.stringify(recording)
    .replaceAll(`${reported.shop}/${script}`, `${shopPlace}/${scriptPlace}`)
    .replaceAll(reported.shop, shopPlace)
  return JSON.parse(text)
}

/** Context indexes start over in each batch. */
function readEvents(sent: readonly Sent[]): { contexts: EventContext[]; events: TelemetryEvent[] } {
  const known = new Map<string, number>()
  const contexts: EventContext[] = []
  const events: TelemetryEvent[] = []
  for (const { kind, body } of sent) {
    if (kind !== 'events') continue
    const text = (body[0] === 0x1f ? gunzipSync(body) : body).toString()
    const own = new Map<number, number>()
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const { index, ...value } = JSON.parse(line)
      if (value.kind !== 'context') {
        events.push({ ...value, context: own.get(value.context) ?? 0 })
        continue
      }
      const key = JSON.stringify(value)
      const place = known.get(key) ?? contexts.length
      if (!known.has(key)) contexts.push({ ...value, index: 0 })
      known.set(key, place)
      own.set(index, place)
    }
  }
  return { contexts, events: events.sort((a, b) => a.at - b.at) }
}

/** Identifies frames by their code, because the next build moves it. */
function withFrames(event: TelemetryEvent, { scripts }: Told): TelemetryEvent {
  if (event.kind !== 'error' || event.stack === undefined) return event
  const frames = event.stack.split('\n').flatMap((line): RecordedFrame[] => {
    const found = /^\s*at (?:(.*) \()?(?:.*?)(assets\/[\w.-]+\.js):(\d+):(\d+)\)?$/.exec(line)
    const script = scripts.find(({ file }) => file === found?.[2])
    if (!found || script === undefined) return []
    const map: { sources: string[]; sourcesContent: string[] } = JSON.parse(script.map)
    const { originalSource: source, originalLine } = entryAt(script.map, Number(found[3]), Number(found[4]))
    const text = map.sourcesContent[map.sources.indexOf(source)]?.split('\n')[originalLine]
    if (!text) return []
    return [{ name: found[1] ?? '', source: source.split('/').slice(-2).join('/'), code: text.trim() }]
  })
  return { ...event, stack: JSON.stringify(frames) }
}

function entryAt(
  map: string,
  line: number,
  column: number,
): { originalSource: string; originalLine: number } {
  const entry = new SourceMap(JSON.parse(map)).findEntry(line - 1, column - 1)
  return 'originalSource' in entry ? entry : { originalSource: '', originalLine: 0 }
}
