const titleLength = 120

/** A single line for lists. */
export function titleOf({ type, message }: { type: string; message: string }): string {
  const title = [type, message].filter((part) => part !== '').join(': ')
  return title === '' ? 'An error without a message' : title.slice(0, titleLength)
}
