/** A position in a script: `src/pay.ts:6:3`. */
export function locationText({ file, line, column }: { file: string; line: number; column: number }): string {
  const path = shortPath(file)
  if (path === '') return 'browser'
  return line === 0 ? path : `${path}:${line}${column === 0 ? '' : `:${column}`}`
}

/** Without the common parts: the origin, and the steps out of the build folder. */
export function shortPath(file: string): string {
  return file
    .replace(/^(?:webpack|vite|rollup):\/\/\/?[^/]*\//, '')
    .replace(/^[a-z]+:\/\/[^/]+(?=\/)/, '')
    .replace(/^(?:\.\.?\/)+/, '')
    .replace(/[?#].*$/, '')
}
