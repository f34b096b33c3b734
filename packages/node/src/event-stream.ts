// Server-sent events over fetch. A stream that is silent for longer than its heartbeat interval allows counts as lost.

import { faultOf, type Server } from './fetch-rule-set.ts'

export interface StreamEvent {
  id: string
  data: string
}

export interface StreamOptions {
  /** The id of the last event received. */
  lastId: string | undefined
  /** Milliseconds. */
  longestSilence: number
  signal: AbortSignal
  onOpen(): void
  onEvent(event: StreamEvent): void
}

/** A longer text without a line break is not a Telltale event. */
const longestEvent = 8 * 1_024 * 1_024

/** Resolves when the stream ends, rejects when it breaks or cannot be opened. */
export async function followStream({ url, key }: Server, options: StreamOptions): Promise<void> {
  const { lastId, longestSilence, onOpen, onEvent } = options
  const silence = new AbortController()
  const watchdog = setTimeout(
    () => silence.abort(new Error('The stream of changes has fallen silent.')),
    longestSilence,
  )
  watchdog.unref()
  try {
    const response = await fetch(`${url}/sdk/v1/stream`, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: AbortSignal.any([options.signal, silence.signal]),
    })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      throw faultOf(response)
    }
    onOpen()
    const read = createEventReader(onEvent)
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      watchdog.refresh()
      read(text)
    }
  } finally {
    clearTimeout(watchdog)
  }
}

/** Accepts the stream's text in chunks of any size. */
export function createEventReader(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = ''
  let id = ''
  let data: string[] = []

  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent({ id, data: data.join('\n') })
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > longestEvent) throw new Error('Invalid response of the event stream.')
    for (const line of lines) readLine(line)
  }
}
