import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { keepPackages } from './keep-packages.ts'
import { bindLibrary } from './library.ts'

test('after an upgrade the package of the former version is served at its address, byte for byte', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-packages-'))
  const log = { warn: vi.fn() }
  try {
    const [built, kept] = [join(folder, 'built'), join(folder, 'kept')]
    keepPackages(built, { from: [], log: log as never })
    const release = async (version: string) => {
      writeFileSync(join(built, `telltale-browser-${version}.tgz`), `bytes of ${version}`)
      writeFileSync(join(built, 'other.tgz'), 'not ours')
      keepPackages(kept, { from: [built, join(folder, 'missing')], log: log as never })
      const server = Fastify()
      await bindLibrary(server, [kept, built])
      return server
    }
    await release('0.1.0')
    rmSync(join(built, 'telltale-browser-0.1.0.tgz'))
    const server = await release('0.2.0')
    for (const version of ['0.1.0', '0.2.0']) {
      const { statusCode, body } = await server.inject(`/sdk/v1/telltale-browser-${version}.tgz`)
      expect([statusCode, body]).toEqual([200, `bytes of ${version}`])
    }
    expect((await server.inject('/sdk/v1/other.tgz')).statusCode).not.toBe(200)
    expect(readFileSync(join(kept, 'telltale-browser-0.1.0.tgz'), 'utf8')).toBe('bytes of 0.1.0')
    expect(log.warn).not.toHaveBeenCalled()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
