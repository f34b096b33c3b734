// Local storage that never throws. Where it is forbidden or full, nothing is kept and everything else goes on.

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
    // First: when there is no room for the new text, the old one must not be taken for it.
    localStorage.removeItem(name)
    localStorage.setItem(name, text)
  } catch {
    // What could not be kept is asked for again.
  }
}
