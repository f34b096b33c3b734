// Requests that are small as they travel and large once they are unpacked and parsed, one for each way into the server.

import { randomBytes } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { framed } from '../intake/attachments.ts'
import { context, event, toLines } from '../intake/visitor.ts'

export interface Bomb {
  name: string
  method: 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  /** Built for each request: repeated ones would be recognised before they are read. */
  body(): Buffer
}

export interface Keys {
  client: string
  server: string
  /** Signs the owner in. */
  cookie: string
}

const mebibyte = 1_024 * 1_024
const json = { 'content-type': 'application/json' }

/** `piece` again and again, as a JSON array. */
function listOf(piece: string, size: number): string {
  return `[${`${piece},`.repeat(Math.floor(size / (piece.length + 1)) - 1)}${piece}]`
}

/** Text that packs about 100 times: less than what is refused by its ratio alone. */
const fillerOf = (size: number) =>
  Array.from({ length: size / 5_000 }, () => randomBytes(16).toString('hex') + 'x'.repeat(4_968)).join('')

const record = () => JSON.stringify({ type: 3, timestamp: Date.now(), data: { text: fillerOf(5_000) } })
const largeRecords = Array.from({ length: 7_800 }, record)
const someRecords = largeRecords.slice(0, 1_600)
const linesOf = (texts: readonly string[]) => gzipSync(texts.map((line) => `${line}\n`).join(''))
const packedRecords = { large: linesOf(largeRecords), some: linesOf(someRecords) }
const zeros = gzipSync(Buffer.alloc(39 * mebibyte))
const datadogText = `{"records":[${someRecords.join(',')}]}`
const datadogPacked = { gzip: gzipSync(datadogText), zlib: deflateSync(datadogText) }
/** A tenth of a megabyte that becomes eight. */
const hollowTables = gzipSync(`{"texts":${listOf('{}', 7.9 * mebibyte)}}`)
const hollowMap = gzipSync(`{"version":3,"sources":[],"mappings":"","x":${listOf('{}', 15 * mebibyte)}}`)
const manyEvents = gzipSync(
  toLines([
    context(),
    ...Array.from({ length: 1_400 }, () =>
      event('custom', { name: 'n', attributes: { a: fillerOf(30_000) } }),
    ),
  ]),
)
const manyRum = gzipSync(`{"type":"action","junk":"${fillerOf(30_000)}"}\n`.repeat(1_400))
const hollowImport = Buffer.from(`{"document":${listOf('{}', 19 * mebibyte)}}`)
const hollowBody = Buffer.from(`{"name":${listOf('{}', 0.99 * mebibyte)}}`)
const hollowContext = Buffer.from(`{"context":{"targetingKey":"a","list":${listOf('{}', 250_000)}}}`)
const hollowTraits = Buffer.from(`{"identifier":"a","traits":${listOf('{}', 250_000)}}`)

function segment(packed: Buffer, count: number): Buffer {
  const startedAt = Date.now() - 6_000
  const about = { index: 0, startedAt, endedAt: startedAt + 5_000, records: count }
  const more = { full: true, format: 'rrweb-2', reason: 'sampled', assets: [] }
  const ids = { session: newId(), tab: newId() }
  return framed({ context: context(ids), segment: { ...about, ...more } }, packed)
}

function profile(): Buffer {
  const about = {
    startedAt: Date.now() - 10_000,
    duration: 5_000,
    interval: 10,
    format: 'telltale-profile-1',
  }
  return framed({ context: context({ page: '/cart' }), profile: about }, hollowTables)
}

const boundary = 'bomb-of-parts'

function form(parts: Record<string, Buffer>): Buffer {
  const pieces = Object.entries(parts).flatMap(([name, bytes]) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

function datadogSegment(packed: Buffer): Buffer {
  const end = Date.now()
  const about = { session: { id: newId() }, view: { id: newId() }, start: end - 5_000, end, index_in_view: 0 }
  const counts = {
    records_count: someRecords.length,
    raw_segment_size: datadogText.length,
    has_full_snapshot: true,
  }
  return form({ segment: packed, event: Buffer.from(JSON.stringify({ ...about, ...counts })) })
}

export function bombsOf({ client, server, cookie }: Keys): Bomb[] {
  const datadog = (track: string) =>
    `/intake/datadog?ddforward=${encodeURIComponent(`/api/v2/${track}?dd-api-key=${client}`)}`
  const parts = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const intake = (kind: string) => `/intake/v1/${kind}?key=${client}`
  const post = (name: string, path: string, more: Pick<Bomb, 'headers' | 'body'>): Bomb => ({
    name,
    method: 'POST',
    path,
    ...more,
  })
  const plain = { headers: {} }
  const flagsmith = { headers: { ...json, 'x-environment-key': server } }
  const owner = { ...json, cookie }
  return [
    post('replay of zeros', intake('replay'), { ...plain, body: () => segment(zeros, 1) }),
    post('replay of 39 MB', intake('replay'), {
      ...plain,
      body: () => segment(packedRecords.large, largeRecords.length),
    }),
    post('replay of 8 MB', intake('replay'), {
      ...plain,
      body: () => segment(packedRecords.some, someRecords.length),
    }),
    post('profile', intake('profile'), { ...plain, body: profile }),
    post('events', intake('events'), { ...plain, body: () => manyEvents }),
    post('Datadog replay, gzip', datadog('replay'), {
      headers: parts,
      body: () => datadogSegment(datadogPacked.gzip),
    }),
    post('Datadog replay, zlib', datadog('replay'), {
      headers: parts,
      body: () => datadogSegment(datadogPacked.zlib),
    }),
    post('Datadog events', datadog('rum'), { ...plain, body: () => manyRum }),
    post('Flagsmith identities', '/flagsmith/api/v1/identities/', { ...flagsmith, body: () => hollowTraits }),
    post('Flagsmith events', '/flagsmith/v1/events', {
      ...flagsmith,
      body: () => Buffer.from(`{"events":${listOf('{}', 4.9 * mebibyte)}}`),
    }),
    post('OFREP', '/ofrep/v1/evaluate/flags', {
      headers: { ...json, authorization: `Bearer ${client}` },
      body: () => hollowContext,
    }),
    post('sign-in', '/api/v1/sign-in', { headers: json, body: () => hollowBody }),
    post('new flag', '/api/v1/projects/shop/flags', { headers: owner, body: () => hollowBody }),
    post('Flagsmith import', '/api/v1/import/flagsmith-environment?project=shop', {
      headers: owner,
      body: () => hollowImport,
    }),
    {
      name: 'source map',
      method: 'PUT',
      path: '/api/v1/projects/shop/source-maps?file=/app.js',
      headers: { 'content-type': 'application/octet-stream', cookie },
      body: () => hollowMap,
    },
  ]
}
