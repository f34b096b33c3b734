import { codeExtensions } from './syntax/parse.ts'

/** The file among `paths` that a relative import of `from` means. */
export function resolveImport(from: string, source: string, paths: ReadonlySet<string>): string | undefined {
  if (!source.startsWith('.')) return undefined
  const folders = from.split('/').slice(0, -1)
  for (const step of source.split('/')) {
    if (step === '..') folders.pop()
    else if (step !== '.' && step !== '') folders.push(step)
  }
  const path = folders.join('/')
  // `./x.js` may be written for `./x.ts`.
  const stem = path.replace(/\.([mc]?)jsx?$/, '')
  const candidates = [
    path,
    ...codeExtensions.flatMap((extension) => [`${path}${extension}`, `${stem}${extension}`]),
    ...codeExtensions.map((extension) => `${path}/index${extension}`),
  ]
  return candidates.find((candidate) => paths.has(candidate))
}
