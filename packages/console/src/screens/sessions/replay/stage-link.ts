import { greeting, type PlayerCommand, type PlayerMessage } from '../../../replay-player/messages.ts'

export interface StageLink {
  attach(frame: HTMLIFrameElement): void
  detach(): void
  /** Reloads the document. */
  reload(): void
  /** The document is ready. */
  readonly isOpen: boolean
  send(order: PlayerCommand, transfer?: Transferable[]): void
}

interface LinkOptions {
  onMessage(message: PlayerMessage): void
  onOpen(): void
  onLost(): void
}

/** Timeout for the document to load and respond. */
const patience = 15_000

/** Connects to the document of the player in its frame. */
export function createStageLink({ onMessage, onOpen, onLost }: LinkOptions): StageLink {
  let frame: HTMLIFrameElement | undefined
  let port: MessagePort | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const meet = ({ origin, source, data }: MessageEvent) => {
    const stage = frame?.contentWindow
    if (!stage || origin !== location.origin || source !== stage || data !== greeting) return
    clearTimeout(timer)
    const { port1, port2 } = new MessageChannel()
    port?.close()
    port = port1
    port.onmessage = ({ data: message }: MessageEvent<PlayerMessage>) => onMessage(message)
    stage.postMessage(greeting, location.origin, [port2])
    onOpen()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(onLost, patience)
  }
  const close = () => {
    clearTimeout(timer)
    port?.close()
    port = undefined
  }
  return {
    attach(stage) {
      frame = stage
      addEventListener('message', meet)
      wait()
    },
    detach() {
      removeEventListener('message', meet)
      close()
      frame = undefined
    },
    reload() {
      close()
      wait()
      frame?.contentWindow?.location.reload()
    },
    get isOpen() {
      return port !== undefined
    },
    send: (order, transfer = []) => port?.postMessage(order, transfer),
  }
}
