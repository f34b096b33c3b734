// The client libraries that this server provides: the browser script with its lazy chunks, and packages that
// npm installs by URL. Read once at startup; only files with these names are served. A package has two URLs:
// one by version, which serves its newest build, and one by version and content, which never changes. npm sends
// the checksum of its lock file (`pacote-integrity`) and gets that build from either URL.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isUnchanged } from './entity-tag.ts'
import { exactName, packageName } from './keep-packages.ts'

interface Kind {
  pattern: RegExp
  type: string
  cacheControl: string
}

const script = 'text/javascript; charset=utf-8'
const passing = 'public, max-age=300'
const lasting = 'public, max-age=31536000, immutable'
const scriptKinds: Kind[] = [
  { pattern: /^telltale\.js$/, type: script, cacheControl: passing },
  {
    pattern: /^telltale-[a-z]+-[0-9a-f]{8}\.js$/,
    type: script,
    cacheControl: lasting,
  },
]
const packageKinds: Kind[] = [
  {
    pattern: /^telltale-[a-z]+-\d+\.\d+\.\d+(-[a-z0-9.]+)?-[0-9a-f]{16}\.tgz$/,
    type: 'application/octet-stream',
    cacheControl: lasting,
  },
  {
    pattern: packageName,
    type: 'application/octet-stream',
    cacheControl: passing,
  },
]

/** In order of preference. */
const codings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

interface LibraryFile extends Kind {
  tag: string
  /** By content coding; '' is the uncompressed file. */
  contents: Map<string, Buffer>
  /** In the format of lock files. */
  integrity: string
  modified: number
  /** For a package: the name of its immutable URL. */
  exactName?: string
}

interface LibraryFolders {
  /** The browser script with its lazy chunks. Separate from packages, because the CLI is also a `telltale.js`. */
  scripts: string
  /** Later folders take precedence. */
  packages: readonly string[]
}

export async function bindLibrary(server: FastifyInstance, folders: LibraryFolders): Promise<void> {
  const packages = folders.packages.flatMap((folder) => readFolder(folder, packageKinds))
  const files = new Map([...packages, ...readFolder(folders.scripts, scriptKinds)])
  addAddresses(files)
  const locked = new Map([...files].map(([name, file]) => [`${baseOf(name)} ${file.integrity}`, file]))
  await server.register((scope, _options, done) => {
    scope.get<{ Params: { file: string } }>(
      '/sdk/v1/:file',
      { helmet: false as const, compress: false as const },
      async (request, reply) => {
        const name = request.params.file
        const wanted = request.headers['pacote-integrity']
        const file = locked.get(`${baseOf(name)} ${wanted}`) ?? files.get(name)
        if (!file) throw problem('not-found', 'This server has no such file.')
        return sendFile(file, request, reply)
      },
    )
    done()
  })
}

function readFolder(folder: string, kinds: readonly Kind[]): [string, LibraryFile][] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const kind = kinds.find(({ pattern }) => pattern.test(name))
    return kind ? [[name, readLibraryFile(join(folder, name), kind)]] : []
  })
}

function readLibraryFile(path: string, kind: Kind): LibraryFile {
  const content = readFileSync(path)
  const compressed = codings
    .filter(({ ending }) => existsSync(path + ending))
    .map(({ name, ending }) => [name, readFileSync(path + ending)] as const)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
  const modified = statSync(path).mtimeMs
  const contents = new Map([...compressed, ['', content]])
  return { ...kind, tag: entityTag(hash), contents, integrity, modified }
}

/** Adds both URLs of each package; earlier builds of this version have only the immutable one. */
function addAddresses(files: Map<string, LibraryFile>): void {
  const newestFirst = [...files].sort(([, one], [, other]) => other.modified - one.modified)
  for (const [name, file] of newestFirst) {
    if (!name.endsWith('.tgz')) continue
    const base = baseOf(name)
    const exact = base === name ? exactName(name, file.contents.get('') ?? Buffer.of()) : name
    if (!files.has(exact)) files.set(exact, { ...file, cacheControl: lasting })
    if (base === name) file.exactName = exact
    else if (!files.has(base)) files.set(base, { ...file, cacheControl: passing, exactName: exact })
  }
}

/** The same for all builds of one version of a package. */
function baseOf(name: string): string {
  return name.replace(/-[0-9a-f]{16}(?=\.tgz$)/, '')
}

function sendFile(file: LibraryFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { type, cacheControl, tag, contents, exactName: lastingName } = file
  const vary = type === script ? 'accept-encoding' : 'accept-encoding, pacote-integrity'
  reply.headers({ 'cache-control': cacheControl, etag: tag, vary })
  if (lastingName !== undefined) reply.header('content-location', `/sdk/v1/${lastingName}`)
  if (isUnchanged(request, tag)) return reply.code(304).send()

  const coding = chooseCoding(request.headers['accept-encoding'], contents)
  if (coding !== '') reply.header('content-encoding', coding)
  return reply.header('content-type', type).send(contents.get(coding))
}

function chooseCoding(accepted: unknown, contents: ReadonlyMap<string, Buffer>): string {
  const offers = String(accepted ?? '')
    .split(',')
    .map((offer) => offer.trim().toLowerCase())
    .filter((offer) => !/;\s*q=0(\.0*)?$/.test(offer))
    .map((offer) => offer.replace(/;.*/, '').trim())
  return codings.find(({ name }) => contents.has(name) && offers.includes(name))?.name ?? ''
}
