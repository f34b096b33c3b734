// Tells one waiter that something came, and never keeps it waiting for longer than it asked.

export interface WakeSignal {
  tell(): void
  /** Resolves at the next news, or after this time. */
  wait(longest?: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let wake: () => void = () => undefined

  return {
    tell: () => wake(),
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
