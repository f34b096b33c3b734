// The only module that depends on the recording library. It emits unmasked events of the form `rrweb-2`, and reports
// how long recording blocked the page.

import { record } from '@rrweb/record'
import { sinceBegin } from '../browser/time.ts'
import { type PageEvent, sources, types, type Word, wordTag } from './page-event.ts'
import { ignoreMark } from './page-tree.ts'

export interface RecordOptions {
  /** Selector of what is not recorded. */
  blocked: string
  /** How long recording blocked the page, milliseconds, and what had changed. */
  onWork(time: number, changes: readonly MutationRecord[]): void
}

export interface PageRecording {
  /** A full snapshot, from which playback can start. Its cost is not reported: the interval adapts to it. */
  snapshot(): void
  say(word: Word): void
  /** Flushes batched changes at once. */
  release(): void
  /** From now on changes are batched for a second. */
  throttle(): void
  stop(): void
}

/** Boxes of their size, at every privacy level: their content is never recorded. */
const pictures = 'img,picture,video,audio,canvas,object,embed,input[type=image],svg image'
/** Changes are batched for this many milliseconds: repeated changes are recorded once. */
const gathering = { usually: 100, throttled: 1_000 } as const
const releaseTag = 'gathered'

export const nodeOf = (id: number): Node | null => record.mirror.getNode(id)
export const idOf = (node: Node): number => record.mirror.getId(node)

export function recordPage(
  { onWork, blocked }: RecordOptions,
  emit: (event: PageEvent) => void,
): PageRecording | undefined {
  let gatherer: ReturnType<typeof setTimeout> | undefined
  let pause: number = gathering.usually
  /** What happens within something that is timed is counted there. */
  let depth = 0
  const timed = <Args extends unknown[]>(run: (...args: Args) => void) => {
    return (...args: Args) => {
      const startedAt = sinceBegin()
      depth++
      try {
        run(...args)
      } finally {
        if (--depth === 0) onWork(sinceBegin() - startedAt, changesOf(args))
      }
    }
  }
  const untold = (run: () => void) => {
    depth++
    try {
      run()
    } finally {
      depth--
    }
  }
  // The recorder times its processing of changes with it: see scripts/build/trim-recorder.ts.
  Object.assign(record, { timed })
  const tell = timed(emit)
  const release = timed(() => {
    clearTimeout(gatherer)
    gatherer = undefined
    // Any custom event flushes batched changes; this one is not forwarded.
    record.addCustomEvent(releaseTag, null)
  })
  const gather = () => {
    record.freezePage()
    gatherer ??= setTimeout(release, pause)
  }
  const end = record({
    emit(event) {
      const told = event as unknown as PageEvent
      if (told.data.tag === releaseTag) return
      tell(told)
      if (told.type === types.change && told.data.source === sources.nodes) gather()
    },
    ...{ maskAllInputs: false, maskInputOptions: {}, slimDOMOptions: 'all', inlineStylesheet: true },
    blockSelector: `${pictures},${blocked},:is(${blocked}) *`,
    ignoreSelector: `[${ignoreMark}],[${ignoreMark}] *`,
    sampling: { mousemove: true, mousemoveCallback: 500, scroll: 150, media: 800 },
    errorHandler: () => true,
  })
  if (!end) return undefined
  const say = (word: Word) => record.addCustomEvent(wordTag, word)
  return {
    snapshot: () => untold(() => record.takeFullSnapshot(true)),
    say,
    release,
    throttle() {
      if (pause === gathering.throttled) return
      say({ kind: 'throttled' })
      pause = gathering.throttled
    },
    stop() {
      release()
      end()
    },
  }
}

function changesOf([first]: unknown[]): readonly MutationRecord[] {
  return Array.isArray(first) ? first : []
}
