// In the page: random programs change it while it is recorded, and after each flush the decoded recording is compared
// with it.

import { parts, records } from '@telltale/core/telemetry/replay/codes'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import fc from 'fast-check'
import { createRecordedPage } from '../../../packages/console/src/replay-player/recorded-page.ts'
import { onFault } from '../../../packages/sdk/src/browser/guard.ts'
import { pageMask, watchPage } from '../../../packages/sdk/src/replay/capture.ts'
import { createMasking } from '../../../packages/sdk/src/replay/masking.ts'
import type { PageRecords } from '../../../packages/sdk/src/replay/page-records.ts'
import { recordTree } from '../../../packages/sdk/src/replay/record-tree.ts'
import type { SegmentWriter } from '../../../packages/sdk/src/replay/segment-writer.ts'
import type { WatchedStates } from '../../../packages/sdk/src/replay/states.ts'
import { createStream } from '../../../packages/sdk/src/replay/stream.ts'
import type { PageMask } from '../../../packages/sdk/src/replay/watching.ts'
import type { PrivacyLevel } from '../../../packages/sdk/src/settings.ts'
import { compareStates } from './compare-states.ts'
import { describePage } from './describe-page.ts'
import { foundPrograms } from './found-programs.ts'
import { countNodes, createPageModel, describeModel } from './page-model.ts'
import { stateSteps } from './state-steps.ts'
import { elementsOf, steps, type World } from './steps.ts'

export type Action =
  | { kind: 'step'; name: string; numbers: readonly [number, number, number] }
  /** Mutation observers are told. */
  | { kind: 'turn' }
  /** The recorder writes one node. */
  | { kind: 'slice' }
  | { kind: 'flush' }
  | { kind: 'page' }
  /** What changes in a part of the page, or everywhere, is written later. */
  | { kind: 'limit'; number: number }
  /** Somebody else has a record or a state of a node to write. */
  | { kind: 'record'; number: number }

export interface ProgramOptions {
  programs: number
  length: number
  level: PrivacyLevel
  /** Settings of fast-check, e.g. the seed and path of a report. */
  [setting: string]: unknown
}

const allSteps = { ...steps, ...stateSteps }
/** It crashes Chromium now and then; programs that were found may have it. */
const isTried = (name: string) => name !== 'move with its state'
const number = fc.nat(100_000)
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      name: fc.constantFrom(...Object.keys(allSteps).filter(isTried)),
      numbers: fc.tuple(number, number, number),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: 'turn' as const }) },
  { weight: 12, arbitrary: fc.constant({ kind: 'slice' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'page' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit' as const), number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('record' as const), number }) },
)

/** The report of the first program whose recording differs; undefined when there is none. */
export async function runPrograms({
  programs,
  length,
  level,
  ...replay
}: ProgramOptions): Promise<string | undefined> {
  const program = fc.array(action, { maxLength: length, size: 'max' })
  const details = await fc.check(
    fc.asyncProperty(program, (actions) => runProgram(actions, level)),
    // Shrinking is done below.
    { numRuns: programs, markInterruptAsFailure: true, endOnFailure: true, ...replay },
  )
  if (!details.failed) return undefined
  const [found = []] = details.counterexample ?? []
  const { actions, fault } = await reduce(found, level)
  const { seed, counterexamplePath: path } = details
  return `${JSON.stringify({ seed, path })}\n${JSON.stringify(actions)}\n${fault ?? `alone it passes: ${Object(details.errorInstance).stack}`}`
}

/** Those that failed before: the faults of those that fail again, by their names. */
export async function runFoundPrograms(level: PrivacyLevel): Promise<Record<string, string>> {
  const faults: Record<string, string> = {}
  for (const [name, actions] of Object.entries(foundPrograms)) {
    const fault = await faultOf(actions, level)
    if (fault) faults[name] = `${fault}`
  }
  return faults
}

/** A test that waits longer says nothing at all. */
const reducedFor = 30_000

/** Leaves out what does not matter for the fault, larger and smaller parts in turn. */
async function reduce(found: readonly Action[], level: PrivacyLevel) {
  let actions = [...found]
  let fault = await faultOf(actions, level)
  const until = performance.now() + reducedFor
  for (let part = Math.ceil(actions.length / 2); part > 0 && fault; part = part > 1 ? Math.ceil(part / 2) : 0)
    for (let from = 0; from < actions.length; ) {
      if (performance.now() > until) return { actions, fault }
      const fewer = [...actions.slice(0, from), ...actions.slice(from + part)]
      const another = await faultOf(fewer, level)
      if (another) [actions, fault] = [fewer, another]
      else from += part
    }
  return { actions, fault }
}

async function faultOf(actions: readonly Action[], level: PrivacyLevel): Promise<unknown> {
  try {
    await runProgram(actions, level)
    return undefined
  } catch (fault) {
    return fault
  }
}

/** Elements. */
const largest = 150
const keptAtMost = 20

const isBox = (element: Element) =>
  element.matches('img,canvas,video,[data-telltale-block]') ||
  (element.localName === 'iframe' && !(element as HTMLIFrameElement).contentDocument)

export async function runProgram(actions: readonly Action[], level: PrivacyLevel): Promise<void> {
  // Where one does not end, the page says no more.
  Reflect.get(globalThis, 'onProgram')?.(actions)
  // A program that fails does so alone, too.
  document.adoptedStyleSheets = []
  document.head.innerHTML = '<title>Programs</title>'
  document.body.innerHTML = '<main><h1>Start</h1><ul><li>one</li><li>two</li></ul></main>'
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
  const world: World = { document, kept: [], closed: new Map(), hasMovedWithState: false }
  const masking = createMasking({ level })
  const { writer, take } = memoryWriter(() => recorder.nextNode())
  const clock = { now: () => 1_795_000_000_000, at: (time: number) => time, adjust: () => undefined }
  const measure = (run: () => void) => run()
  let watched: WatchedStates | undefined
  let mask: PageMask | undefined
  let slice = () => {}
  const recorder = recordTree({
    masking,
    writer,
    clock,
    measure,
    onChange: () => undefined,
    sliceTime: 0,
    schedule(run) {
      slice = run
      return { after: () => undefined, whenIdle: () => undefined, stop: () => undefined }
    },
    states(records, about) {
      const options = { records, about, level, masking, writer, clock, measure }
      mask = pageMask(masking, about)
      watched = watchPage({ ...options, assets: { sheetMark: (text) => text } })
      return watched
    },
  })
  const model = createPageModel()
  const player = createPlayer()
  let fault: unknown
  onFault((caught) => {
    fault ??= caught
  })
  const compare = () => {
    tellScrolling(world)
    recorder.flush()
    if (fault) throw fault
    const { idOf } = recorder
    for (const operation of take()) {
      model.apply(operation)
      player.apply({ ...operation })
    }
    const isScrolled = !world.hasMovedWithState
    const shown = model.document ? describeModel(model.document, isScrolled) : 'nothing'
    const closedRootOf = (host: Element) => world.closed.get(host)
    const wanted = describePage(document, { masking, isBox, isScrolled, closedRootOf, idOf })
    if (model.document && model.size !== countNodes(model.document))
      throw new Error(`the player keeps nodes that are in no page, beside\n${shown}`)
    if (shown !== wanted) throw new Error(`played\n${shown}\ninstead of\n${wanted}`)
    const playedOf = (node: Node) => player.nodeOf(idOf(node))
    const differences = mask ? compareStates({ world, mask, idOf, playedOf }) : []
    if (differences.length > 0) throw new Error(`${differences.join('\n')}\nin\n${wanted}`)
  }
  try {
    for (const each of actions) {
      // Steps that copy would make it grow without end.
      if (elementsOf(world).length > largest) document.body.replaceChildren()
      world.kept.splice(0, world.kept.length - keptAtMost)
      if (each.kind === 'step') {
        attempt(() => allSteps[each.name]?.(world, each.numbers))
        if (each.name === 'scroll') noteScrolling(world)
      } else if (each.kind === 'turn') await Promise.resolve()
      else if (each.kind === 'slice') slice()
      else if (each.kind === 'page') recorder.snapshot()
      else if (each.kind === 'limit') recorder.limit(elementAt(each.number))
      else if (each.kind === 'record') writeOther(recorder, elementAt(each.number))
      else compare()
    }
    compare()
  } finally {
    recorder.stop()
    watched?.stop()
  }
}

/** The player as it ships, in a frame beside this one. */
function createPlayer() {
  const frame = parent.document.getElementById('player') as HTMLIFrameElement
  const none = () => undefined
  const assets = { fill: (text: string) => text, urlOf: none, textOf: none, faces: () => [] }
  return createRecordedPage(frame, { assets, isStill: true })
}

const scrolled = new WeakMap<ParentNode, number>()

/** A browser reports them also when they are back in place by the next frame. */
function noteScrolling(world: World): void {
  for (const element of elementsOf(world)) if (Object(element).scrollTop) scrolled.set(element, -1)
}

/** As the browser does before each frame. */
function tellScrolling(world: World): void {
  for (const element of elementsOf(world)) {
    const place = Object(element).scrollTop
    if (/^(html|body)$/.test(Object(element).localName) || (!place && !scrolled.has(element))) continue
    if (place !== scrolled.get(element)) element.dispatchEvent(new Event('scroll'))
    scrolled.set(element, place)
  }
}

/** Undefined from time to time. */
function elementAt(number: number): Element | undefined {
  const elements = document.querySelectorAll('*')
  return elements[number % (elements.length + 1)]
}

/** Other records must find what they name. */
function writeOther({ idOf, queue, queueState }: PageRecords, element: Element | undefined): void {
  queue((stream) => {
    stream.byte(records.focus)
    stream.number(idOf(element))
  })
  if (!element) return
  queueState(element, 'defined', (stream) => {
    stream.byte(records.state)
    stream.number(idOf(element))
    stream.byte(parts.defined)
  })
}

/** Some steps find nothing to change, or what they try is not allowed. */
function attempt(run: () => unknown): void {
  try {
    run()
  } catch {
    // The page has thrown, as pages do.
  }
}

function memoryWriter(next: () => number): { writer: SegmentWriter; take(): ReplayOperation[] } {
  const stream = createStream()
  let isOpen = false
  const none = () => undefined
  return {
    writer: {
      stream,
      begin(at) {
        if (!isOpen) stream.begin(next(), at)
        isOpen = true
      },
      end: none,
      writeMark: none,
      use: none,
      cut: none,
      abandon: none,
      cutNow: () => true,
      clear: none,
    },
    take() {
      const operations = isOpen ? [...decodeSegment(stream.from(0))] : []
      isOpen = false
      return operations
    },
  }
}
