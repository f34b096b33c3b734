// Local storage that never throws. Where it is blocked or full, nothing is stored and everything else works.

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function removeStored(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Then nothing is stored.
  }
}

export function writeStored(name: string, text: string): void {
  try {
    // Remove first: when there is no room for the new text, the old one must not be mistaken for it.
    localStorage.removeItem(name)
    localStorage.setItem(name, text)
  } catch {
    // Fetched again when it could not be stored.
  }
}
