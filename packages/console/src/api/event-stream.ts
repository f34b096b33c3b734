import { noteAnswer } from './connection.ts'
import { readProblem, toProblem } from './problem.ts'

export interface StreamReader<Message> {
  /** What is posted to open it; without it the stream is only asked for. */
  body?: unknown
  onOpen?(): void
  onMessage(message: Message): void
}

/** The server says something at least this often. */
const silentFor = 40_000

/** Reads a call that answers with server-sent events to its end. Throws what the server refuses it with. */
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
    // The server's messages are complete: it cannot send what the contract does not list.
    onMessage(JSON.parse(data.slice('data: '.length)))
  } catch (error) {
    throw toProblem(error)
  }
}
