import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createEventReader, followStream, type StreamEvent } from './event-stream.ts'

function read(pieces: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const take = createEventReader((event) => events.push(event))
  for (const piece of pieces) take(piece)
  return events
}

test('events are parsed for any chunks and line endings', () => {
  const text = ':\n\nid: 1\nevent: message\ndata: {"a":1}\n\n:\n\nid:2\ndata: b\ndata:  c\n\ndata: cut off'
  const expected = [
    { id: '1', data: '{"a":1}' },
    { id: '2', data: 'b\n c' },
  ]
  expect(read([text])).toEqual(expected)
  expect(read([...text.replaceAll('\n', '\r\n')])).toEqual(expected)
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      expect(read(at.map((end, index) => text.slice(at[index - 1] ?? 0, end)))).toEqual(expected)
    }),
  )
})

test('a silent stream is closed', async () => {
  const server = createServer((_request, response) => response.writeHead(200).write(':\n\n')).listen(0)
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { lastId: undefined, signal: new AbortController().signal }
  const heard = { onOpen: () => undefined, onEvent: () => undefined }
  await expect(followStream({ url, key: 'k' }, { ...options, ...heard, longestSilence: 50 })).rejects.toThrow(
    'fallen silent',
  )
})
