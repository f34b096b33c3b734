// The recorder as it ships, on a page without a server: what would have left the page is kept there, and read here.

import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { build } from 'esbuild'
import { bundlePart } from '../../scripts/build/sdk.ts'
import { type Site, startSite } from './flag-server.ts'

interface Header {
  index: number
  full: boolean
  records: number
  /** None: its text is what the player gets. */
  format?: string
  reason: string
  startedAt: number
  endedAt: number
  assets: string[]
}

export interface Sent {
  path: string
  /** Of a segment. */
  header: Header | undefined
  /** Of an asset, with its type. */
  hash: string
  mime: string
  /** Unpacked. */
  bytes: readonly number[]
  /** Of a segment: its operations, a line of JSON each. */
  text: string
  keepalive: boolean
}

export interface RecordedPage {
  /** What left the page so far. */
  sent(): Promise<Sent[]>
  /** All operations that did, in their order. */
  operations(): Promise<ReplayOperation[]>
  /** Tells the recorder of an event of the page. */
  note(event: object, context?: object): Promise<void>
  /** What the recorder reported of itself. */
  faults(): Promise<string[]>
  /** All that is recorded goes out. */
  flush(): Promise<void>
}

export interface RecordOptions {
  level?: 'mask-all' | 'mask-inputs' | 'allow'
  isSampled?: boolean
  on?: string[]
  rules?: { mask?: string[]; unmask?: string[]; block?: string[] }
  /** Origins of images that are recorded. */
  pictures?: string[]
  /** Origins of frames that may report. */
  frames?: string[]
}

const partFile = async (part: 'recorder' | 'fonts' | 'canvas' | 'frames' | 'framed') =>
  new TextDecoder().decode(await bundlePart(part))

const plain = `<!doctype html><html><head><title>plain</title></head><body><p id="text">plain</p>
<input id="field"><iframe id="frame" srcdoc="<p id='in'>in a frame</p><button id='button'>in</button>"></iframe>
<div id="host"></div></body></html>`

/** A site with the recorder, a plain page, and what is given. */
export async function startRecorderSite(files: Record<string, string | Uint8Array>): Promise<Site> {
  const parts = {
    '/recorder.js': await partFile('recorder'),
    '/fonts.js': await partFile('fonts'),
    '/canvas.js': await partFile('canvas'),
    '/frames.js': await partFile('frames'),
    '/framed.js': await partFile('framed'),
  }
  return startSite({ ...parts, '/plain': plain, ...files })
}

/** One module of ours with what it imports, for a page. */
export async function bundleModule(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../..', path)],
    bundle: true,
    write: false,
    ...({ format: 'esm', target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } } as const),
  })
  return outputFiles[0]?.text ?? ''
}

/** Of a page that has `/recorder.js`. */
export async function startRecording(page: Page, options: RecordOptions = {}): Promise<RecordedPage> {
  await page.evaluate(
    async ({ level = 'mask-all', isSampled = true, on, rules, frames, pictures: origins }) => {
      const [file, canvasFile, framesFile] = ['/recorder.js', '/canvas.js', '/frames.js'] as const
      const { startRecorder } = await import(file)
      const sent: SentByPage[] = []
      const context = {
        kind: 'context',
        index: 0,
        session: '0197a2b3-0000-7000-8000-000000000001',
        tab: '0197a2b3-0000-7000-8000-000000000002',
        view: '0197a2b3-0000-7000-8000-000000000003',
        reads: [],
      }
      const send = async (address: string, { body, keepalive }: RequestInit) => {
        if (!(body instanceof Blob)) return await fetch(address)
        const path = address.slice(server.url.length)
        let bytes = ''
        for (const byte of new Uint8Array(await body.arrayBuffer())) bytes += String.fromCharCode(byte)
        sent.push({ path, bytes, keepalive: keepalive === true })
        return new Response('{"accepted":1,"dropped":[]}', { status: 202 })
      }
      const server = { url: 'http://server.example', key: 'key', fetch: send, fetched: new Set() }
      const faults: string[] = []
      const report = (fault: unknown) => void faults.push(`${fault}`)
      let pictures: Promise<{ add(canvas: Element): void }> | undefined
      const onCanvas = async (canvas: Element) => {
        pictures ??= import(canvasFile).then(({ startCanvas }) => startCanvas({ ...recorder, report }))
        const { add } = await pictures
        add(canvas)
      }
      let framesPart: Promise<{ add(frame: Element, mask: object): void }> | undefined
      const onFrame = async (frame: Element, mask: object) => {
        framesPart ??= import(framesFile).then(({ startFrames }) =>
          startFrames({ ...recorder, origins: frames, level, report }),
        )
        const { add } = await framesPart
        add(frame, mask)
      }
      const recorder = startRecorder({
        ...{ server, level, isSampled, on, rules, context, onCanvas, report, pictures: origins },
        onFrame: frames && onFrame,
      })
      Object.assign(globalThis, { recording: { sent, recorder, context, faults } })
    },
    { ...options },
  )
  const known: Sent[] = []
  const sent = async (): Promise<Sent[]> => {
    // Only what is new: polled with a large page, the transfer of everything took longer than the recording.
    const from = known.length
    const more = await page.evaluate((from) => Reflect.get(globalThis, 'recording').sent.slice(from), from)
    known.splice(from, known.length, ...(more as SentByPage[]).map(readSent))
    return [...known]
  }
  return {
    sent,
    async operations() {
      const all = (await sent()).filter(({ header }) => header)
      return all.flatMap(({ text }) => text.split('\n').map((line) => JSON.parse(line)))
    },
    note: (event, context = {}) =>
      page.evaluate(
        ([event, more]) => {
          const { recorder, context } = Reflect.get(globalThis, 'recording')
          recorder.note(event, { ...context, ...more })
        },
        [event, context] as const,
      ),
    faults: () => page.evaluate(() => Reflect.get(globalThis, 'recording').faults),
    async flush() {
      // What observers and throttles still hold back comes first.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    },
  }
}

interface SentByPage {
  path: string
  /** A character for each byte: many times faster to read from a page than an array of numbers. */
  bytes: string
  keepalive: boolean
}

function readSent({ path: asked, bytes, keepalive }: SentByPage): Sent {
  const { pathname: path, searchParams } = new URL(asked, 'http://server.example')
  const hash = searchParams.get('hash') ?? ''
  const body = Buffer.from(bytes, 'latin1')
  const isGzip = (part: Buffer) => part[0] === 0x1f && part[1] === 0x8b
  const plainOf = (part: Buffer) => (isGzip(part) ? gunzipSync(part) : part)
  const asset = { hash, mime: searchParams.get('type') ?? '' }
  if (!path.endsWith('/replay')) {
    const plain = plainOf(body)
    return { path, keepalive, ...asset, bytes: [...plain], header: undefined, text: plain.toString() }
  }
  const end = body.indexOf(10)
  const { segment } = JSON.parse(body.subarray(0, end).toString())
  const plain = plainOf(body.subarray(end + 1))
  const text = [...decodeSegment(plain)].map((operation) => JSON.stringify(operation)).join('\n')
  return { path, keepalive, ...asset, bytes: [...plain], header: segment, text }
}
