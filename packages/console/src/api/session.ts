/**
 * Whether the session ended while the user was working. The shell then shows the password dialog over the
 * screen so that no input is lost.
 */
let isSignedOut = false
const listeners = new Set<() => void>()

export function getSignedOut(): boolean {
  return isSignedOut
}

export function listenToSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function noteSignedOut(): void {
  setSignedOut(true)
}

export function noteSignedIn(): void {
  setSignedOut(false)
}

function setSignedOut(value: boolean): void {
  if (value === isSignedOut) return
  isSignedOut = value
  for (const listener of listeners) listener()
}
