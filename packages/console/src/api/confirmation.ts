/**
 * A dangerous change was refused until the session is confirmed by a second factor. The shell shows the dialog for it,
 * and the request is repeated afterwards.
 */
type Answer = (isConfirmed: boolean) => void

let waiting: Answer[] = []
const listeners = new Set<() => void>()

export const isConfirmationAsked = (): boolean => waiting.length > 0

export function listenToConfirmation(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves to whether the user confirmed the session. */
export function askForConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    for (const listener of listeners) listener()
  })
}

export function answerConfirmation(isConfirmed: boolean): void {
  const answered = waiting
  waiting = []
  for (const answer of answered) answer(isConfirmed)
  for (const listener of listeners) listener()
}
