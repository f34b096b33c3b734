// The one place that knows what records the page. Whatever stands behind it, it tells events of the form `rrweb-2`, not masked
// yet, and says how much of the page's time that took.

import { record } from '@rrweb/record'
import { sinceBegin } from '../browser/time.ts'
import { type PageEvent, sources, types, type Word, wordTag } from './page-event.ts'
import { blockMark, ignoreMark } from './page-tree.ts'

export interface RecordOptions {
  /** How long the page waited for us, milliseconds, and what it had changed. */
  onWork(time: number, changes: readonly MutationRecord[]): void
}

export interface PageRecording {
  /** The whole page again, from which a player can begin. What it costs is not told: it comes as seldom as that allows. */
  snapshot(): void
  say(word: Word): void
  /** Tells at once what is gathered. */
  release(): void
  /** From now on changes are gathered for a second. */
  throttle(): void
  stop(): void
}

/** Boxes of their size, at every privacy level: what they show is never recorded. */
const pictures = 'img,picture,video,audio,canvas,object,embed,input[type=image],svg image'
/** Changes are told together, so many milliseconds: what is changed again and again is told once. */
const gathering = { usually: 100, throttled: 1_000 } as const
const releaseTag = 'gathered'

export const nodeOf = (id: number): Node | null => record.mirror.getNode(id)
export const idOf = (node: Node): number => record.mirror.getId(node)

export function recordPage(
  { onWork }: RecordOptions,
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
  // Asked by the recorder for whatever looks at changes: see scripts/build/trim-recorder.ts.
  Object.assign(record, { timed })
  const tell = timed(emit)
  const release = timed(() => {
    clearTimeout(gatherer)
    gatherer = undefined
    // Any word lets out what was gathered; this one is told to nobody.
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
    blockSelector: `${pictures},[${blockMark}],[${blockMark}] *`,
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
