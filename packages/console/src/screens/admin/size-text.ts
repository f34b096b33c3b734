const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `8.4 MB`: powers of a thousand, as disk sizes are given. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const size = bytes / 1_000 ** power
  return `${size < 10 && power > 0 ? size.toFixed(1) : Math.round(size)}\u00a0${units[power]}`
}
