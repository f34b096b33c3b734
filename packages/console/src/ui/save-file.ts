/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
