import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { keepPackages } from './keep-packages.ts'
import { bindLibrary } from './library.ts'

test("after an upgrade the previous version's package is served at its URL, unchanged", async () => {
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
      await bindLibrary(server, { scripts: built, packages: [kept, built] })
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
    expect(log.warn).not.toHaveBeenCalled()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a lock file gets its exact build, even if the same version was built again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-packages-'))
  const log = { warn: vi.fn() }
  const name = 'telltale-browser-0.1.0.tgz'
  const integrityOf = (text: string) => `sha512-${createHash('sha512').update(text).digest('base64')}`
  try {
    const [built, kept] = [join(folder, 'built'), join(folder, 'kept')]
    keepPackages(built, { from: [], log: log as never })
    for (const text of ['first build', 'second build']) {
      writeFileSync(join(built, name), text)
      keepPackages(kept, { from: [built], log: log as never })
    }
    const server = Fastify()
    await bindLibrary(server, { scripts: built, packages: [kept, built] })
    const get = (path: string, headers = {}) => server.inject({ url: `/sdk/v1/${path}`, headers })
    const newest = await get(name)
    expect(newest.body).toBe('second build')
    const locked = await get(name, { 'pacote-integrity': integrityOf('first build') })
    expect(locked.body).toBe('first build')
    expect((await get(name, { 'pacote-integrity': integrityOf('never built') })).body).toBe('second build')
    const exact = await server.inject(`${newest.headers['content-location']}`)
    expect([exact.body, exact.headers['cache-control']]).toEqual([
      'second build',
      'public, max-age=31536000, immutable',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the script for pages is from the browser package only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-script-'))
  try {
    const [browser, command] = [join(folder, 'browser'), join(folder, 'command')]
    for (const [at, text] of [
      [browser, 'of pages'],
      [command, 'of terminals'],
    ] as const) {
      mkdirSync(at)
      writeFileSync(join(at, 'telltale.js'), text)
    }
    const server = Fastify()
    await bindLibrary(server, { scripts: browser, packages: [browser, command] })
    expect((await server.inject('/sdk/v1/telltale.js')).body).toBe('of pages')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
