// An event stream that reconnects with backoff: EventSource alone would retry every few seconds, indefinitely, in all
// browsers at once.

import { backoff } from './random.ts'

export interface Listener {
  onOpen(): void
  onMessage(text: string): void
  onLost(): void
}

const longestWait = 60_000
/** A stream that ends sooner counts as a failure. */
const lasting = 30_000

/** Returns a function to close it. */
export function openEventStream(url: string, { onOpen, onMessage, onLost }: Listener): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout>
  let failures = 0

  const open = () => {
    const begun = Date.now()
    source = new EventSource(url)
    source.onopen = onOpen
    source.onmessage = ({ data }) => onMessage(data)
    source.onerror = () => {
      source.close()
      if (Date.now() - begun > lasting) failures = 0
      timer = setTimeout(open, backoff(failures++, longestWait))
      onLost()
    }
  }
  open()

  return () => {
    clearTimeout(timer)
    source.close()
  }
}
