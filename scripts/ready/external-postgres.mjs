import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary } from './debian.mjs'

/** PostgreSQL refuses to run as root; this user exists on every system. */
const nobody = 65_534

/**
 * An external PostgreSQL server: the one in TELLTALE_TEST_DATABASE_URL, or else one started from this machine's
 * binaries in a separate folder. Undefined if neither is available.
 */
export async function startExternalPostgres() {
  const url = process.env.TELLTALE_TEST_DATABASE_URL
  if (url) return { url, stop: () => undefined }

  const programs = { initdb: findBinary('initdb'), pgCtl: findBinary('pg_ctl') }
  if (!programs.initdb || !programs.pgCtl) return undefined
  return startCluster(programs)
}

async function startCluster({ initdb, pgCtl }) {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-external-'))
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (user.uid) chownSync(folder, user.uid, user.gid)

  const password = randomBytes(12).toString('hex')
  const [cluster, passwordFile] = [join(folder, 'cluster'), join(folder, 'password')]
  writeFileSync(passwordFile, password, { mode: 0o644 })
  const port = await findFreePort()
  const run = (program, args) => {
    const { status, stderr } = spawnSync(program, args, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
  const stop = () => {
    spawnSync(pgCtl, ['stop', '-D', cluster, '-m', 'immediate'], { ...user, cwd: folder, stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    run(initdb, [
      '-D',
      cluster,
      '-U',
      'telltale',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-locale',
    ])
    const settings = [
      `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200`,
      // Durability is not needed: dropping a test database waited seconds for the disk.
      '-c fsync=off -c full_page_writes=off -c synchronous_commit=off',
    ].join(' ')
    run(pgCtl, ['start', '-w', '-D', cluster, '-l', join(folder, 'log'), '-o', settings])
  } catch (error) {
    stop()
    throw error
  }
  return { url: `postgres://telltale:${password}@127.0.0.1:${port}/postgres`, stop }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
