import { noteAnswer } from './connection.ts'
import { readProblem, toProblem } from './problem.ts'

interface StreamReader<Message> {
  /** Body of the POST request that opens the stream; without it the request is a GET. */
  body?: unknown
  onOpen?(): void
  onMessage(message: Message): void
}

/** The server sends at least a heartbeat this often. */
const silentFor = 40_000

/** Reads a call that returns server-sent events to its end. Throws the server's problem when it refuses. */
export async function readEventStream<Message>(
  address: string,
  signal: AbortSignal,
  reader: StreamReader<Message>,
): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silentFor)
  try {
    const response = await fetch(address, {
      ...(reader.body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(reader.body),
      }),
      signal: AbortSignal.any([signal, silence.signal]),
    })
    noteAnswer(response.status !== 502 && response.status !== 504)
    if (!response.ok || response.body === null) throw await readProblem(response)
    reader.onOpen?.()
    let rest = ''
    const parts = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await parts.read(); !part.done; part = await parts.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silentFor)
      const blocks = (rest + part.value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) hand(block, reader)
    }
  } finally {
    clearTimeout(timer)
  }
}

function hand<Message>(block: string, { onMessage }: StreamReader<Message>): void {
  const data = block.split('\n').find((line) => line.startsWith('data: '))
  if (data === undefined) return
  try {
    // The server sends only what the contract lists.
    onMessage(JSON.parse(data.slice('data: '.length)))
  } catch (error) {
    throw toProblem(error)
  }
}
