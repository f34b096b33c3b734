const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** `2 d`, `36 h`, `90 s`: the largest unit that leaves nothing over. */
export function inWords(milliseconds: number): string {
  const [name, size] = units.find(([, each]) => milliseconds % each === 0 && milliseconds >= each) ?? units[3]
  return `${Math.round(milliseconds / size)} ${name}`
}

/** `90s`, `30m`, `2h`, `1d`, or undefined. */
export function readSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d+)\s*([dhms])$/.exec(text) ?? []
  const size = units.find(([name]) => name === unit)?.[1]
  return size === undefined ? undefined : Number(count) * size
}
