// One line about long work on standard error, rewritten in place. Nothing in a pipe, where only its end is of interest.

export interface Progress {
  show(text: string): void
  /** Removes the line. */
  end(): void
}

const clearLine = '\r\u001b[2K'

export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const write = (text: string) => {
    if (stream.isTTY) stream.write(text)
  }
  return {
    show: (text) => write(`${clearLine}${text.slice(0, (stream.columns ?? 80) - 1)}`),
    end: () => write(clearLine),
  }
}

const blocks = 20

/** `[█████               ] 5 of 20 maps` */
export function bar(done: number, total: number, what: string): string {
  const filled = total === 0 ? blocks : Math.round((done / total) * blocks)
  return `[${'█'.repeat(filled)}${' '.repeat(blocks - filled)}] ${done} of ${total} ${what}`
}
