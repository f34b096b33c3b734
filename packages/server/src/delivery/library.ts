// The clients that this server hands out: the browser's script with its lazy parts, and the packages that npm installs by
// URL. Read once, at the start; only files of these names are served.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isUnchanged } from './entity-tag.ts'
import { packageName } from './keep-packages.ts'

interface Kind {
  pattern: RegExp
  type: string
  cacheControl: string
}

const script = 'text/javascript; charset=utf-8'
const kinds: Kind[] = [
  { pattern: /^telltale\.js$/, type: script, cacheControl: 'public, max-age=300' },
  {
    pattern: /^telltale-[a-z]+-[0-9a-f]{8}\.js$/,
    type: script,
    cacheControl: 'public, max-age=31536000, immutable',
  },
  {
    pattern: packageName,
    type: 'application/octet-stream',
    cacheControl: 'public, max-age=300',
  },
]

/** The best first. */
const codings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

interface LibraryFile extends Kind {
  tag: string
  /** By content coding; '' is the file as it is. */
  contents: Map<string, Buffer>
}

export async function bindLibrary(server: FastifyInstance, folders: readonly string[]): Promise<void> {
  const files = new Map(folders.flatMap(readFolder))
  await server.register((scope, _options, done) => {
    scope.get<{ Params: { file: string } }>(
      '/sdk/v1/:file',
      { helmet: false as const, compress: false as const },
      async (request, reply) => {
        const file = files.get(request.params.file)
        if (!file) throw problem('not-found', 'This server hands out no such file.')
        return sendFile(file, request, reply)
      },
    )
    done()
  })
}

function readFolder(folder: string): [string, LibraryFile][] {
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
  return { ...kind, tag: entityTag(hash), contents: new Map([...compressed, ['', content]]) }
}

function sendFile(file: LibraryFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { type, cacheControl, tag, contents } = file
  reply.headers({ 'cache-control': cacheControl, etag: tag, vary: 'accept-encoding' })
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
