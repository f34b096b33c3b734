import { expect, test } from 'vitest'
import { pathIn, readMapFile } from './read-map-file.ts'

const map = { version: 3, sources: [], names: [], mappings: 'AAAA' }
const fileOf = (content: unknown, name = 'app-B7c1f0aZ.js.map') => new File([JSON.stringify(content)], name)

test('reads the script of a source map, and its debug id in either spelling', async () => {
  expect(await readMapFile(fileOf(map))).toMatchObject({ name: 'app-B7c1f0aZ.js', fault: undefined })
  const debugId = '85314830-023f-4cf1-a267-535f4e37bb17'
  for (const more of [{ debugId }, { debug_id: debugId }]) {
    expect(await readMapFile(fileOf({ ...map, ...more }))).toMatchObject({ debugId })
  }
  expect(await readMapFile(fileOf({ ...map, debugId: 'none' }))).toMatchObject({ debugId: undefined })
})

test('reports why a file is not a source map', async () => {
  expect((await readMapFile(new File(['let a'], 'app.js'))).fault).toMatch(/invalid JSON/)
  expect((await readMapFile(fileOf({ version: 2 }))).fault).toMatch(/version 3/)
})

test("accepts any spelling of a site's folder", () => {
  for (const folder of ['assets', '/assets', '/assets/', 'assets//']) {
    expect(pathIn(folder, 'app.js')).toBe('/assets/app.js')
  }
  expect(pathIn('', 'app.js')).toBe('/app.js')
})
