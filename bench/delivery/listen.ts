// Event streams like those of a browser, on bare sockets: the cost of a thousand clients must not dominate the
// measurement.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Listeners {
  count(): number
  /** Resolves with the time at which each listener received a message that contains `text`. */
  hear(text: string): Promise<number[]>
  close(): void
}

const patience = 60_000
/** Opened in parallel: more would overflow the accept queue. */
const together = 100

/** `from`: the local address of the listeners. */
export async function openListeners(
  url: string,
  path: string,
  { count, from }: { count: number; from?: string | undefined },
): Promise<Listeners> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  let listener: ((socket: Socket, said: string) => void) | undefined
  const open = async () => {
    const place = {
      host: hostname,
      port: Number(port),
      ...(from === undefined ? {} : { localAddress: from }),
    }
    const socket = connect({ ...place, noDelay: true })
    socket.setEncoding('latin1')
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: text/event-stream\r\n\r\n`)
    const [first] = await once(socket, 'data', { signal: AbortSignal.timeout(patience) })
    if (!String(first).startsWith('HTTP/1.1 200')) throw new Error(`No stream: ${first}`)
    socket.on('data', (said) => listener?.(socket, String(said)))
    socket.on('error', () => undefined)
    sockets.push(socket)
  }
  for (let opened = 0; opened < count; opened += together) {
    await Promise.all(Array.from({ length: Math.min(together, count - opened) }, open))
  }
  return {
    count: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    hear(text) {
      const times = new Map<Socket, number>()
      return new Promise((resolve, reject) => {
        const giveUp = setTimeout(
          () => reject(new Error(`${times.size} of ${sockets.length} heard of it in time.`)),
          patience,
        )
        listener = (socket, said) => {
          if (!said.includes(text) || times.has(socket)) return
          times.set(socket, performance.now())
          if (times.size < sockets.length) return
          clearTimeout(giveUp)
          listener = undefined
          resolve([...times.values()])
        }
      })
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
