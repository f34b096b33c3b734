// The one place that knows what records the page. Whatever stands behind it, it tells events of the form `rrweb-2`, not masked
// yet, and says how much of the page's time that took.

import { record } from '@rrweb/record'
import { sinceBegin } from '../browser/time.ts'
import { type PageEvent, type Word, wordTag } from './page-event.ts'

export interface RecordOptions {
  /** How long the page waited for us, milliseconds, and what it changed meanwhile. */
  onWork(time: number, changes: readonly MutationRecord[]): void
}

export interface PageRecording {
  nodeOf(id: number): Node | null
  /** The whole page again, from which a player can begin. */
  snapshot(): void
  say(word: Word): void
  /** Gathers changes and tells them once a second. */
  throttle(): void
  stop(): void
}

export const blockMark = 'data-telltale-block'
export const ignoreMark = 'data-telltale-ignore'
/** Boxes of their size, at every privacy level: what they show is never recorded. */
const pictures = 'img,picture,video,audio,canvas,object,embed,input[type=image],svg image'
const everything = { subtree: true, childList: true, attributes: true, characterData: true } as const
const gathering = 1_000

export function recordPage(
  { onWork }: RecordOptions,
  emit: (event: PageEvent) => void,
): PageRecording | undefined {
  let beganAt = 0
  let changes: readonly MutationRecord[] = []
  let gatherer: ReturnType<typeof setInterval> | undefined
  // Browsers call observers in the order in which they were made: the recorder's comes between these two.
  const before = new MutationObserver((records) => {
    beganAt = sinceBegin()
    changes = records
  })
  const after = new MutationObserver(() => {
    if (!beganAt) return
    const time = sinceBegin() - beganAt
    beganAt = 0
    onWork(time, changes)
    changes = []
  })
  const timed = <Args extends unknown[]>(run: (...args: Args) => void) => {
    return (...args: Args) => {
      // What happens between the two observers is counted there.
      const startedAt = beganAt ? 0 : sinceBegin()
      run(...args)
      if (startedAt) onWork(sinceBegin() - startedAt, [])
    }
  }
  before.observe(document, everything)
  const tell = timed(emit)
  let stop: (() => void) | undefined
  const begin = timed(() => {
    stop = record({
      emit(event) {
        tell(event as unknown as PageEvent)
        if (gatherer && event.type === 3) record.freezePage()
      },
      ...{ maskAllInputs: false, maskInputOptions: {}, slimDOMOptions: 'all', inlineStylesheet: true },
      blockSelector: `${pictures},[${blockMark}],[${blockMark}] *`,
      ignoreSelector: `[${ignoreMark}],[${ignoreMark}] *`,
      sampling: { mousemove: true, mousemoveCallback: 500, scroll: 150, media: 800 },
      errorHandler: () => true,
    })
  })
  begin()
  after.observe(document, everything)
  if (!stop) return undefined
  const end = stop
  const say = (word: Word) => record.addCustomEvent(wordTag, word)
  return {
    nodeOf: (id) => record.mirror.getNode(id),
    snapshot: timed(() => record.takeFullSnapshot(true)),
    say,
    throttle() {
      if (gatherer) return
      say({ kind: 'throttled' })
      record.freezePage()
      gatherer = setInterval(
        timed(() => {
          // Any word lets out what was gathered.
          record.addCustomEvent('gathered', null)
          record.freezePage()
        }),
        gathering,
      )
    },
    stop() {
      clearInterval(gatherer)
      for (const observer of [before, after]) observer.disconnect()
      end()
    },
  }
}
