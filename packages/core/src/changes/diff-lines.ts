/** The minimal line diff of two texts. */
export interface DiffLine {
  readonly kind: 'same' | 'less' | 'more'
  readonly text: string
}

/** Above this many lines on a side, the middle is replaced as a whole: the table of the search would be too large. */
const searchedAtMost = 1_500

export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before)
  const next = linesOf(after)
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < next.length - start &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  ) {
    end++
  }
  return [
    ...marked('same', old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...marked('same', old.slice(old.length - end)),
  ]
}

/** Keeps the changes and a few lines of context; `undefined` marks omitted lines. */
export function foldSame(lines: readonly DiffLine[], around = 3): (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line]
    return index === 0 || isNear[index - 1] ? [undefined] : []
  })
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function marked(kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }))
}

function diffMiddle(old: readonly string[], next: readonly string[]): DiffLine[] {
  if (old.length > searchedAtMost || next.length > searchedAtMost) {
    return [...marked('less', old), ...marked('more', next)]
  }
  const width = next.length + 1
  // Longest common subsequence from each pair of lines to the end.
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < next.length) {
    const [less, more] = [old[i], next[j]]
    if (less !== undefined && less === more) {
      lines.push({ kind: 'same', text: less })
      i++
      j++
    } else if (less !== undefined && (more === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'less', text: less })
      i++
    } else {
      lines.push({ kind: 'more', text: more ?? '' })
      j++
    }
  }
  return lines
}
