// Changes of a text by spans. What replaces a span is a list of strings and of other spans of the same text, so it is
// known afterwards which parts of the original are left.

export interface Span {
  start: number
  end: number
}

/** A string, or a span of the original; `dedent` characters of indentation are taken off each of its further lines. */
export type Part = string | (Span & { dedent?: number })

interface Edit extends Span {
  parts: readonly Part[]
  /** What is replaced, without blanks, commas and comments that go with it. */
  core: Span
}

export interface Edits {
  /** The larger of two nested changes decides, and of two of the same span the later one. */
  replace(span: Span, parts: readonly Part[]): void
  /** Removes `core` with what is around it. */
  remove(core: Span, whole: Span): void
  readonly size: number
  render(): string
  /** One entry per character of the original: 1 if it is left. */
  alive(): Uint8Array
}

interface Piece extends Span {
  text: string
}

/** Line breaks in `literal` spans belong to values: the lines after them keep their indentation. */
export function createEdits(text: string, literal: readonly Span[]): Edits {
  const edits = new Map<string, Edit>()
  const fixed = new Set<number>()
  for (const { start, end } of literal) {
    for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      fixed.add(at)
  }

  const flatten = (): Piece[] => {
    const sorted = [...edits.values()].sort((a, b) => a.start - b.start || b.end - a.end)
    const pieces: Piece[] = []
    const copy = (span: Span, dedent: number) => {
      if (span.start < span.end)
        pieces.push({ ...span, text: dedented(text, span, { count: dedent, fixed }) })
    }
    const expand = ({ start, end }: Span, dedent: number, within: Edit | undefined) => {
      let at = start
      for (const edit of sorted) {
        if (edit.start > end) break
        // A part can be taken out of what is removed around it.
        const isAround = contains(edit.core, { start, end }) && lengthOf(edit.core) > end - start
        const isSame = within !== undefined && (isAround || contains(edit, within))
        // Removed lines may reach beyond the part of them that is moved.
        const isRemoval = edit.parts.length === 0 && edit.start < end && edit.end > at
        const fits = edit.start >= at && edit.end <= end
        if (isSame || !(fits || isRemoval)) continue
        copy({ start: at, end: Math.max(at, edit.start) }, dedent)
        for (const part of edit.parts) {
          if (typeof part === 'string') pieces.push({ start: 0, end: 0, text: part })
          else expand(part, dedent + (part.dedent ?? 0), edit)
        }
        at = Math.min(end, edit.end)
      }
      copy({ start: at, end }, dedent)
    }
    expand({ start: 0, end: text.length }, 0, undefined)
    return pieces
  }

  return {
    replace({ start, end }, parts) {
      edits.set(`${start}:${end}`, { start, end, parts, core: { start, end } })
    },
    remove(core, { start, end }) {
      edits.set(`${start}:${end}`, { start, end, parts: [], core })
    },
    get size() {
      return edits.size
    },
    render: () =>
      flatten()
        .map((piece) => piece.text)
        .join(''),
    alive() {
      const alive = new Uint8Array(text.length + 1)
      for (const { start, end } of flatten()) alive.fill(1, start, end)
      return alive
    },
  }
}

function lengthOf({ start, end }: Span): number {
  return end - start
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

function dedented(text: string, { start, end }: Span, by: { count: number; fixed: Set<number> }): string {
  const slice = text.slice(start, end)
  if (by.count === 0) return slice
  return slice.replace(/\n([ \t]*)/g, (whole, blank: string, offset: number) => {
    if (by.fixed.has(start + offset)) return whole
    if (by.count < 0) return `\n${blank === '' ? '' : blank + (blank[0] ?? ' ').repeat(-by.count)}`
    return `\n${blank.slice(Math.min(by.count, blank.length))}`
  })
}
