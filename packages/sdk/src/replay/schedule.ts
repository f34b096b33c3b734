// When the recorder works: after a time, and then in the idle time of the page, but also where that never comes.

export interface Schedule {
  /** Milliseconds. Earlier calls are kept. */
  after(time: number): void
  /** As soon as the page is idle. */
  whenIdle(): void
  stop(): void
}

/** A page that is never idle is recorded all the same, milliseconds. */
const patience = 200

export function schedule(run: () => void): Schedule {
  let timer: ReturnType<typeof setTimeout> | undefined
  let idle: number | undefined
  let isStopped = false
  const clear = () => {
    clearTimeout(timer)
    if (idle !== undefined) globalThis.cancelIdleCallback?.(idle)
    timer = idle = undefined
  }
  const work = () => {
    clear()
    if (!isStopped) run()
  }
  return {
    after(time) {
      if (timer === undefined && idle === undefined) timer = setTimeout(work, time)
    },
    whenIdle() {
      clear()
      if ('requestIdleCallback' in globalThis) idle = requestIdleCallback(work, { timeout: patience })
      else timer = setTimeout(work, 10)
    },
    stop() {
      isStopped = true
      clear()
    },
  }
}

/** The browser's own: libraries such as Zone.js replace it and run the application after each of our calls. */
export function nativeObserver(): typeof MutationObserver {
  const { Zone: zone } = globalThis as { Zone?: { __symbol__?(name: string): string } }
  const original: unknown = Reflect.get(globalThis, zone?.__symbol__?.('MutationObserver') ?? '')
  return typeof original === 'function' ? (original as typeof MutationObserver) : MutationObserver
}
