// The browser client: the script that the server serves with its lazy part, and the package to install by URL.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { compressFiles } from './compress.ts'
import { writeDeclarations } from './declarations.ts'
import { buildInPlace, root } from './place.ts'
import { shortenNames } from './shorten-names.ts'
import { writeTarball } from './tarball.ts'

const folder = 'packages/sdk'
const source = join(root, folder, 'src')
/** Loaded lazily: when there are values, and in sessions that are recorded, profiled or traced. */
const lazy = {
  './flags/live.ts': './live.js',
  './boot/start-sampled.ts': './sampled.js',
  './toolbar/open.ts': './toolbar.js',
  './replay/recorder.ts': './recorder.js',
  './find-assets.ts': './fonts.js',
  '../profile/profiler.ts': './profiler.js',
  './details/details.ts': './details.js',
  './canvas/canvas.ts': './canvas.js',
  './frames/record-frames.ts': './frames.js',
  './frames/report-page.ts': './framed.js',
  '../trace/tracing.ts': './tracing.js',
  '../orders/apply-orders.ts': './orders.js',
}
const parts = {
  live: 'flags/live.ts',
  sampled: 'boot/start-sampled.ts',
  recorder: 'replay/recorder.ts',
  fonts: 'replay/find-assets.ts',
  profiler: 'profile/profiler.ts',
  details: 'details/details.ts',
  canvas: 'canvas/canvas.ts',
  frames: 'frames/record-frames.ts',
  framed: 'frames/report-page.ts',
  tracing: 'trace/tracing.ts',
  orders: 'orders/apply-orders.ts',
  toolbar: 'toolbar/open.ts',
} as const
export type Part = keyof typeof parts
const partNames = [
  'live',
  'sampled',
  'recorder',
  'fonts',
  'profiler',
  'details',
  'canvas',
  'frames',
  'framed',
  'tracing',
  'orders',
  'toolbar',
] as const satisfies readonly Part[]
/** Browsers from 2022 on. */
const target = 'es2022'
const entries = ['telltale', 'flags', 'openfeature', 'react'] as const

export async function buildSdk(): Promise<void> {
  await buildInPlace(folder, async (target) => {
    await buildScript(target)
    await compressFiles(target)

    const content = join(target, 'package')
    const { version } = await writeSdkPackage(content)
    writeTarball(join(target, `telltale-browser-${version}.tgz`), content)
  })
}

/** The content that npm installs. */
export async function writeSdkPackage(content: string): Promise<{ version: string }> {
  const manifest = describePackage()
  mkdirSync(content, { recursive: true })
  await buildModules(content)
  await writeDeclarations(join(root, folder), { target: content, entries })
  writeFileSync(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, folder, 'README.md'), join(content, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
  return manifest
}

/** `telltale.js` for pages without a build, and the lazy parts under names that are unique to their content. */
async function buildScript(target: string): Promise<void> {
  const write = async (part: Part, names: PartNames = {}) => {
    const content = await bundlePart(part, names)
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
    const name = `telltale-${part}-${hash}.js`
    writeFileSync(join(target, name), content)
    return name
  }
  const fonts = await write('fonts')
  const [recorder, profiler] = [await write('recorder', { fonts }), await write('profiler')]
  const [details, canvas, tracing] = [await write('details'), await write('canvas'), await write('tracing')]
  const [frames, framed] = [await write('frames'), await write('framed', { fonts })]
  const orders = await write('orders')
  const own = { recorder, profiler, details, canvas, frames, framed, tracing, orders }
  const sampled = await write('sampled', own)
  const toolbar = await write('toolbar', { recorder, details, canvas, frames, framed })
  const names = { live: await write('live'), sampled, toolbar }
  writeFileSync(join(target, 'telltale.js'), await bundleScript(names))
}

/** The file names of the lazy parts; without one, the name in the package. */
type PartNames = Partial<Record<Part, string>>

/** The part that a page loads initially. */
export function bundleScript({
  live,
  sampled,
  toolbar,
}: Record<'live' | 'sampled' | 'toolbar', string>): Promise<Uint8Array> {
  const define = { liveFile: `'${live}'`, sampledFile: `'${sampled}'`, toolbarFile: `'${toolbar}'` }
  return bundle('script.ts', { outside: lazy, define, globalName: 'telltale' })
}

/** A lazily loaded part. */
export function bundlePart(part: Part, names: PartNames = {}) {
  const {
    recorder = 'recorder.js',
    fonts = 'fonts.js',
    profiler = 'profiler.js',
    details = 'details.js',
    canvas = 'canvas.js',
    frames = 'frames.js',
    framed = 'framed.js',
    tracing = 'tracing.js',
    orders = 'orders.js',
  } = names
  const outside = {
    './replay/recorder.ts': `./${recorder}`,
    './find-assets.ts': `./${fonts}`,
    '../profile/profiler.ts': `./${profiler}`,
    './details/details.ts': `./${details}`,
    './canvas/canvas.ts': `./${canvas}`,
    './frames/record-frames.ts': `./${frames}`,
    './frames/report-page.ts': `./${framed}`,
    '../trace/tracing.ts': `./${tracing}`,
    '../orders/apply-orders.ts': `./${orders}`,
  }
  return bundle(parts[part], {
    outside,
    short: part === 'recorder' || part === 'framed' ? recorderNames : [],
  })
}

/** The entries of the package. Shared code is in it once. */
async function buildModules(target: string): Promise<void> {
  for (const entry of entries) writeFileSync(join(target, `${entry}.js`), await bundleEntry(entry))
  for (const part of partNames) writeFileSync(join(target, `${part}.js`), await bundlePart(part))
}

/** One file of the package. */
export async function bundleEntry(entry: (typeof entries)[number]): Promise<Uint8Array> {
  const flags = { './flags.ts': './flags.js', '../flags.ts': './flags.js' }
  const outside = { ...lazy, ...(entry === 'flags' ? {} : flags) }
  const code = await bundle(`${entry}.ts`, { outside })
  // Server components of Next.js may import it, and its code runs in the browser. The bundler drops directives.
  return entry === 'react' ? Buffer.concat([Buffer.from("'use client';\n"), code]) : code
}

/** Members of the script that are private to it: not used by other parts, pages or servers. */
export const ownNames = [
  'onSession',
  'details',
  'collectors',
  'assembler',
  'exposer',
  'gate',
  'sizeBytes',
  'isPrecious',
  'retryAfter',
  'catchUp',
  'mayRead',
  'urlOf',
  'isOurs',
  'hasSession',
  'endedAt',
  'answers',
  'onRequest',
  'isAborted',
  'setUser',
  'cleanText',
  'onOpen',
  'onShut',
  'onEnd',
  'pageOf',
  'hurry',
  'settle',
  'listens',
  'finish',
  'loadLive',
  'loadSampled',
  'loadToolbar',
  'onRead',
  'notify',
  'earlier',
  'longest',
  'views',
  'activity',
  'sessions',
  'lastSent',
  'forget',
  'watch',
  'again',
  'flush',
  'fail',
  'bodyOf',
  'listen',
  'tell',
  'take',
  'record',
  'current',
  'leave',
  'entry',
  'counts',
  'emit',
  'refresh',
  'noteError',
  'currentView',
  'touch',
  'isSent',
  'addReads',
  'addRead',
  'events',
  'state',
  'isStalled',
]

/** Members that only the recorder uses, and none that is sent. */
export const recorderNames = [
  'inside',
  'recordedDocumentOf',
  'isBox',
  'queueState',
  'isPending',
  'writeText',
  'sizeBytes',
  'rearranged',
  'hookWindow',
  'settled',
  'measure',
  'changed',
  'isHidden',
  'keepsQuery',
  'documentOf',
  'hosts',
  'isCheckShown',
  'sheetMark',
  'isBlocked',
  'lookForAssets',
  'isWaiting',
  'writtenAt',
  'writeMark',
  'packed',
  'isLeaving',
  'whenIdle',
  'onChange',
  'ends',
  'writeRoot',
  'watchFrame',
  'queueSheet',
  'marks',
  'isDone',
  'isFresh',
  'rewrite',
  'writeTree',
  'isHeld',
  'shadowOf',
  'onRoot',
  'onCall',
  'numberOf',
  'onStop',
  'pageRecords',
  'forgetKnown',
  'isDue',
  'isDeferred',
  'writeFocus',
  'writeSheet',
  'isIgnored',
  'writeZoom',
  'finishNow',
  'isPlaced',
  'onShadow',
  'onDocument',
  'onInsert',
  'onDelete',
  'isEdited',
  'onWhole',
  'onMedia',
  'unnoted',
  'putBack',
  'postpone',
  'isInPlace',
  'sliceTime',
  'abandon',
  'isPicture',
  'related',
  'resume',
  'signed',
  'forget',
  'onFault',
  'isAway',
  'cutNow',
  'onLost',
  'nextNode',
  'retryAfter',
  'states',
  'masking',
  'changes',
  'writer',
  'clock',
  'ids',
  'about',
  'give',
  'drop',
  'renew',
  'settle',
  'onRule',
  'onFail',
  'onCut',
  'thin',
  'gone',
  'placeholder',
]

interface BundleOptions {
  /** External imports, by the import path as written. */
  outside?: Record<string, string>
  define?: Record<string, string>
  /** Members to shorten. */
  short?: readonly string[]
  /** Builds a script with this global instead of a module. */
  globalName?: string
}

async function bundle(
  entry: string,
  { outside = {}, define = {}, short = [], globalName }: BundleOptions,
): Promise<Uint8Array> {
  const bundled = await rolldown({
    input: join(source, entry),
    platform: 'browser',
    transform: { target, define },
    plugins: [keepOutside(outside), shortenNames(globalName ? ownNames : short)],
    external: ['react', '@openfeature/web-sdk'],
  })
  const { output } = await bundled.generate({
    minify: { compress: { target }, mangle: { toplevel: !globalName } },
    comments: false,
    generatedCode: { symbols: false },
    ...(globalName ? { format: 'iife', name: globalName } : { format: 'esm' }),
  })
  await bundled.close()
  return new TextEncoder().encode(output[0].code)
}

function keepOutside(outside: Record<string, string>): Plugin {
  return {
    name: 'keep-outside',
    resolveId(path) {
      const instead = outside[path]
      return instead === undefined ? undefined : { id: instead, external: 'relative' }
    },
  }
}

/** The manifest for npm: not private, and without dependencies. */
function describePackage() {
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const entryOf = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const { name, version, license, peerDependencies, peerDependenciesMeta } = own
  return {
    name,
    version,
    license,
    description: 'Feature flags and real-user monitoring in the browser, with your own Telltale server.',
    type: 'module',
    sideEffects: false,
    files: ['**/*.js', '**/*.d.ts'],
    // For `moduleResolution: node`, which does not read `exports`.
    main: './telltale.js',
    types: './telltale.d.ts',
    exports: {
      '.': entryOf('telltale'),
      './flags': entryOf('flags'),
      './openfeature': entryOf('openfeature'),
      './react': entryOf('react'),
      './package.json': './package.json',
    },
    peerDependencies,
    peerDependenciesMeta,
  }
}
