// In the page: random programs change it while it is recorded, and after each flush the decoded recording is compared
// with it.

import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import fc from 'fast-check'
import { onFault } from '../../../packages/sdk/src/browser/guard.ts'
import { createMasking } from '../../../packages/sdk/src/replay/masking.ts'
import { recordTree } from '../../../packages/sdk/src/replay/record-tree.ts'
import type { SegmentWriter } from '../../../packages/sdk/src/replay/segment-writer.ts'
import { createStream } from '../../../packages/sdk/src/replay/stream.ts'
import type { PrivacyLevel } from '../../../packages/sdk/src/settings.ts'
import { describePage } from './describe-page.ts'
import { createPageModel, describeModel } from './page-model.ts'
import { steps, type World } from './steps.ts'

type Action =
  | { kind: 'step'; name: string; numbers: readonly [number, number, number] }
  /** Mutation observers are told. */
  | { kind: 'turn' }
  /** The recorder writes one node. */
  | { kind: 'slice' }
  | { kind: 'flush' }
  | { kind: 'page' }

export interface ProgramOptions {
  programs: number
  length: number
  level: PrivacyLevel
  /** Settings of fast-check, e.g. the seed and path of a report. */
  [setting: string]: unknown
}

const number = fc.nat(100_000)
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      name: fc.constantFrom(...Object.keys(steps)),
      numbers: fc.tuple(number, number, number),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: 'turn' as const }) },
  { weight: 12, arbitrary: fc.constant({ kind: 'slice' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'page' as const }) },
)

/** The report of the first program whose recording differs; undefined when there is none. */
export async function runPrograms({
  programs,
  length,
  level,
  ...replay
}: ProgramOptions): Promise<string | undefined> {
  const program = fc.array(action, { minLength: 1, maxLength: length, size: 'max' })
  const details = await fc.check(
    fc.asyncProperty(program, (actions) => runProgram(actions, level)),
    { numRuns: programs, markInterruptAsFailure: true, ...replay },
  )
  return details.failed ? `${fc.defaultReportMessage(details)}\n${details.errorInstance}` : undefined
}

/** Elements. */
const largest = 150

const isBox = (element: Element) =>
  element.matches('img,canvas,video,[data-telltale-block]') ||
  (element.localName === 'iframe' && !(element as HTMLIFrameElement).contentDocument)

async function runProgram(actions: readonly Action[], level: PrivacyLevel): Promise<void> {
  document.body.innerHTML = '<main><h1>Start</h1><ul><li>one</li><li>two</li></ul></main>'
  for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name)
  const world: World = { document, kept: [], closed: new Map() }
  const masking = createMasking({ level })
  const { writer, take } = memoryWriter(() => recorder.nextNode())
  let slice = () => {}
  const recorder = recordTree({
    masking,
    writer,
    clock: { now: () => 1_795_000_000_000, at: (time) => time, adjust: () => undefined },
    measure: (run) => run(),
    onChange: () => undefined,
    sliceTime: 0,
    schedule(run) {
      slice = run
      return { after: () => undefined, whenIdle: () => undefined, stop: () => undefined }
    },
    states: () => ({
      isBox,
      write: () => false,
      writeRoot: () => undefined,
      writeText: (_, text, stream) => stream.text(text),
      listen: () => undefined,
      settled: () => undefined,
    }),
  })
  const model = createPageModel()
  let fault: unknown
  onFault((caught) => {
    fault ??= caught
  })
  const compare = () => {
    recorder.flush()
    if (fault) throw fault
    for (const operation of take()) model.apply(operation)
    const shown = model.document ? describeModel(model.document) : 'nothing'
    const wanted = describePage(document, { masking, isBox, closedRootOf: (host) => world.closed.get(host) })
    if (shown !== wanted) throw new Error(`played\n${shown}\ninstead of\n${wanted}`)
  }
  try {
    for (const each of actions) {
      // Steps that copy would make it grow without end.
      if (document.querySelectorAll('*').length > largest) document.body.replaceChildren()
      if (each.kind === 'step') attempt(() => steps[each.name]?.(world, each.numbers))
      else if (each.kind === 'turn') await Promise.resolve()
      else if (each.kind === 'slice') slice()
      else if (each.kind === 'page') recorder.snapshot()
      else compare()
    }
    compare()
  } finally {
    recorder.stop()
  }
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
