// The code of the guides, file by file: what readers copy is what runs in the test.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const guides = join(import.meta.dirname, '../../../docs/guides')

/** Writes the examples with these names to a folder. The address and the keys in them are known when the server runs. */
export function writeExamples(folder, names) {
  const examples = new Map(['server-sdk.md', 'monitoring.md'].flatMap(readExamples))
  for (const name of names) {
    const code = examples.get(name)
    if (code === undefined) throw new Error(`no guide has an example for ${name}`)
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
}

/** Each begins with a comment that names its file: `// app/flags.ts`, `// Next.js: app/error.tsx`. */
function readExamples(guide) {
  const text = readFileSync(join(guides, guide), 'utf8')
  return [...text.matchAll(/^```tsx?\n(\/\/ (?:[\w. ]+: )?(app\/[\w.-]+)[^\n]*\n[\s\S]*?)^```$/gm)].map(
    ([, code, name]) => [name, withSettings(code)],
  )
}

function withSettings(code) {
  return code
    .replaceAll("'https://telltale.example.com'", "(globalThis.settings?.url ?? 'http://127.0.0.1:9')")
    .replaceAll("'your client key'", "(globalThis.settings?.key ?? 'none')")
}
