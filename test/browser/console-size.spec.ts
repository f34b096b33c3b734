import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

const dist = join(import.meta.dirname, '../../packages/console/dist')
const firstScreenKilobytes = 200
const chunkKilobytes = 120

const sizeOf = (file: string) => gzipSync(readFileSync(join(dist, file))).byteLength / 1_000

test('the first screen is at most 200 kB of compressed code, and no chunk is above 120 kB', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const first = [...html.matchAll(/"\/([^"]+\.js)"/g)].map((match) => match[1] ?? '')
  expect(first.length).toBeGreaterThan(2)
  const total = first.reduce((sum, file) => sum + sizeOf(file), 0)
  expect(total).toBeLessThanOrEqual(firstScreenKilobytes)

  const parts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
  for (const part of parts) expect(sizeOf(`assets/${part}`), part).toBeLessThanOrEqual(chunkKilobytes)
})

test('contract schemas stay on the server', () => {
  const program = readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, 'assets', name), 'utf8'))
    .join('\n')
  expect(program).not.toContain('additionalProperties')
})
