// Splits the streamed response into segments and their lines. The recorded page controls the content of the
// lines, so only requested segments are accepted, in order.

export interface SegmentLines {
  readonly index: number
  /** It exists, but is unreadable. */
  readonly broken: boolean
  readonly lines: string
}

export interface Splitter {
  push(text: string): SegmentLines[]
  /** The last one received. */
  end(): SegmentLines[]
}

const headBegins = '{"segment":'

export function splitSegments(requested: readonly number[]): Splitter {
  let rest = ''
  let next = 0
  let open: { index: number; broken: boolean; lines: string[] } | undefined
  const close = (): SegmentLines[] => {
    const closed = open
    open = undefined
    return closed === undefined ? [] : [{ ...closed, lines: closed.lines.join('\n') }]
  }
  const takeLine = (line: string): SegmentLines[] => {
    const head = line.startsWith(headBegins) ? headOf(line) : undefined
    if (head !== undefined && requested.indexOf(head.index, next) >= next) {
      const done = close()
      next = requested.indexOf(head.index, next) + 1
      open = { ...head, lines: [] }
      return done
    }
    if (line !== '') open?.lines.push(line)
    return []
  }
  return {
    push(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      return lines.flatMap(takeLine)
    },
    end() {
      const last = takeLine(rest)
      rest = ''
      return [...last, ...close()]
    },
  }
}

function headOf(line: string): { index: number; broken: boolean } | undefined {
  try {
    const { segment } = JSON.parse(line)
    return Number.isSafeInteger(segment?.index)
      ? { index: segment.index, broken: segment.broken === true }
      : undefined
  } catch {
    // A line of the page that only starts like a header line.
    return undefined
  }
}
