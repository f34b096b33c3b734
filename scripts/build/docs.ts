// The documentation as static pages, served at /docs in the running version.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { buildSite } from '@telltale/docs/build-site'
import { build } from 'esbuild'
import { compressFiles } from './compress.ts'
import { buildInPlace, root } from './place.ts'

const source = join(root, 'packages/docs/src')
const documents = join(root, 'docs')

export async function buildDocs(): Promise<void> {
  await buildInPlace('packages/docs', async (target) => {
    const paths = readdirSync(documents, { recursive: true, encoding: 'utf8' }).map((path) =>
      path.split(sep).join('/'),
    )
    const pages = paths.filter((path) => path.endsWith('.md'))
    const attachments = new Set(paths.filter((path) => /\.(json|png)$/.test(path)))
    const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { files } = buildSite({
      documents: new Map(pages.map((path) => [path, readFileSync(join(documents, path), 'utf8')])),
      attachments,
      version: manifest.version,
    })
    for (const [name, content] of files) {
      mkdirSync(dirname(join(target, name)), { recursive: true })
      writeFileSync(join(target, name), content)
    }
    for (const path of attachments) cpSync(join(documents, path), join(target, path))
    await build({
      entryPoints: [join(source, 'docs.ts'), join(source, 'docs.css')],
      outdir: target,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
      loader: { '.woff2': 'file' },
      publicPath: '/docs',
      logOverride: { 'unsupported-css-property': 'silent', 'css-syntax-error': 'silent' },
    })
    await compressFiles(target)
  })
}
