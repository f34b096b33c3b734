// Wakes one waiter on new work, or after its timeout.

export interface WakeSignal {
  notify(): void
  /** Resolves at the next signal, or after this time. */
  wait(longest?: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let wake: () => void = () => undefined

  return {
    notify: () => wake(),
    wait: (longest) =>
      new Promise<void>((resolve) => {
        const timer = longest === undefined ? undefined : setTimeout(resolve, longest)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
