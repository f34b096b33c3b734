// What a terminal can show: its width, and whether colours are wanted (https://no-color.org).

const usualWidth = 80

export interface Terminal {
  /** Undefined for a file or a pipe: lines keep their length. */
  width: number | undefined
  hasColors: boolean
}

export function terminalOf(
  stream: { isTTY?: boolean; columns?: number },
  { NO_COLOR, TERM }: NodeJS.ProcessEnv,
): Terminal {
  if (!stream.isTTY) return { width: undefined, hasColors: false }
  return { width: stream.columns ?? usualWidth, hasColors: !NO_COLOR && TERM !== 'dumb' }
}

export const bold = (text: string, { hasColors }: Terminal) =>
  hasColors ? `\u001b[1m${text}\u001b[22m` : text
