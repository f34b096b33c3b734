/** The position of a function, as the browser reports it. */
interface CodeLocation {
  readonly function: string
  readonly file: string
  readonly line: number
  readonly column: number
}

const keys = new WeakMap<CodeLocation, string>()
const keyBase = 36
const firstHash = 2_166_136_261
const hashFactor = 16_777_619

/** Short enough for a URL, and the same wherever the function appears. */
export function keyOf(frame: CodeLocation): string {
  const known = keys.get(frame)
  if (known !== undefined) return known
  const { function: name, file, line, column } = frame
  let hash = firstHash
  for (const letter of `${name}\t${file}\t${line}\t${column}`) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), hashFactor)
  }
  const key = (hash >>> 0).toString(keyBase)
  keys.set(frame, key)
  return key
}
