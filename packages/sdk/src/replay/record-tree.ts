// Records the tree of a page: whole, and then what changes, some times a second, in slices that leave the page its
// time. Only current states are written, so that it does not matter how often something changed, nor when it was read.

import { guarded } from '../browser/guard.ts'
import { sinceBegin } from '../browser/time.ts'
import type { Clock } from './clock.ts'
import { createInnerRoots } from './inner-roots.ts'
import type { Masking } from './masking.ts'
import { typeOf } from './natives.ts'
import { createNodeIds, type NodeIds } from './node-ids.ts'
import type { PageRecords, PageStates } from './page-records.ts'
import { nativeObserver, schedule } from './schedule.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { createTreeChanges } from './tree-changes.ts'
import type { TreeContext, Waiting } from './tree-context.ts'
import { replaceChanged, writeChanges } from './write-changes.ts'
import { writePage } from './write-page.ts'
import { createTreeWriter } from './write-tree.ts'

export interface RecordTreeOptions {
  masking: Masking
  writer: SegmentWriter
  clock: Clock
  states(records: PageRecords, about: NodeIds['about']): PageStates
  /** What counts as time of the recorder. */
  measure(run: () => void): void
  /** Changes of a node were seen. */
  onChange(target: Node): void
  /** Something of the page cannot be recorded: nothing is written any more. */
  onFail?(): void
  /** How and how long it works at once; tests set both. */
  schedule?: typeof schedule
  sliceTime?: number
}

export interface TreeRecorder extends PageRecords {
  /** The id that the next node gets. */
  nextNode(): number
  /** Writes the page anew, in slices. */
  snapshot(): void
  /** Writes everything that is due at once: the page is being left. */
  flush(): void
  /** What changes within it is written at most once a second; undefined: in the whole page. */
  limit(target: Element | undefined): void
  stop(): void
}

/** Changes are gathered for so long, milliseconds: repeated ones are written once. */
const gathering = 100
const limited = 1_000
/** The page gets its thread back after so long, milliseconds. */
const slice = 6
/** Reading the clock costs more than writing a node. */
const stepsBetweenLooks = 16
const observed = { attributes: true, characterData: true, childList: true, subtree: true }

export function recordTree(options: RecordTreeOptions): TreeRecorder {
  const { measure } = options
  const timer = (options.schedule ?? schedule)(() => measure(run))
  let isDue = false
  const due = () => {
    isDue = true
    timer.after(gathering)
  }
  const { context, pageRecords, observer } = createContext(options, due)
  const { changes, ids, waiting, roots } = context
  let wantsPage = true
  let failures = 0
  const work = createWork(options.sliceTime ?? slice, {
    read: () => observer.read(),
    begin() {
      if (wantsPage) {
        wantsPage = false
        isDue = true
        observer.disconnect()
        return writePage(context)
      }
      if (!isDue) return undefined
      isDue = false
      return writeChanges(context)
    },
    // A record is half written: the page is written anew.
    onFault() {
      wantsPage = failures++ < failuresAtMost
      if (!wantsPage) options.onFail?.()
    },
  })
  const run = guarded(() => {
    if (!work(false)) timer.whenIdle()
    else if (waiting.limit && changes.isWaiting()) timer.after(limited)
  })
  timer.whenIdle()
  return {
    ...pageRecords,
    nextNode: () => ids.next,
    snapshot() {
      wantsPage = true
      timer.whenIdle()
    },
    flush: guarded(() => {
      // All of it, with what writing it has queued.
      const { limit } = waiting
      waiting.limit = undefined
      isDue = true
      try {
        measure(() => work(true))
      } finally {
        waiting.limit ??= limit
      }
    }),
    limit(target) {
      waiting.limit = { target, writtenAt: 0 }
    },
    stop: guarded(() => {
      timer.stop()
      observer.disconnect()
      roots.stop()
    }),
  }
}

interface Work {
  /** Changes that the observer was not told of yet. */
  read(): void
  /** What is to be done next, in steps; undefined: nothing. */
  begin(): Generator<void> | undefined
  onFault(): void
}

/** Goes on with the work for a slice of time, or to its end. False: something is left. */
function createWork(sliceTime: number, { read, begin, onFault }: Work): (toTheEnd: boolean) => boolean {
  const stepsAtOnce = sliceTime > 0 ? stepsBetweenLooks : 1
  let job: Generator<void> | undefined
  return (toTheEnd) => {
    const until = toTheEnd ? Number.POSITIVE_INFINITY : sinceBegin() + sliceTime
    read()
    for (let step = 1; ; step++) {
      job ??= begin()
      if (!job) return true
      try {
        if (job.next().done) job = undefined
      } catch (fault) {
        job = undefined
        onFault()
        throw fault
      }
      if (step % stepsAtOnce === 0 && sinceBegin() >= until) return false
    }
  }
}

interface Assembled {
  context: TreeContext
  pageRecords: PageRecords
  observer: { read(): void; disconnect(): void }
}

function createContext(options: RecordTreeOptions, due: () => void): Assembled {
  const { masking, writer, clock, measure, onChange } = options
  const { stream } = writer
  const waiting: Waiting = { hosts: new Set(), states: new Map(), queue: [], limit: undefined }
  const onHost = (host: Element) => {
    waiting.hosts.add(host)
    due()
  }
  const roots = createInnerRoots({
    onShadow(host) {
      const root = roots.shadowOf(host)
      if (root) states.listen(root)
      onHost(host)
    },
    onDocument: onHost,
  })
  const ids = createNodeIds((node) =>
    typeOf(node) === 1
      ? [roots.shadowOf(node), roots.recordedDocumentOf(node)].filter((root) => root !== undefined)
      : [],
  )
  const changes = createTreeChanges({ ids, onChange })
  /** Since the last step. */
  let hasChanged = false
  /** Their attributes have changed since then. */
  const touched = new Set<Element>()
  /** Matched by rules that look at other elements, the last time. */
  let matched: Element[] = []
  let isDirty = false
  const read = guarded((found: readonly MutationRecord[]) => {
    if (found.length === 0) return
    changes.read(found)
    states.rearranged(found)
    for (const { type, target } of found) if (type === 'attributes') touched.add(target as Element)
    hasChanged = isDirty = true
    due()
  })
  const Observer = nativeObserver()
  const observer = new Observer((found) => measure(() => read(found)))
  const pageRecords: PageRecords = {
    idOf: ids.of,
    queue(write, at) {
      waiting.queue.push({ write, at })
      due()
    },
    queueState(node, name, write) {
      const writers = waiting.states.get(node) ?? new Map()
      waiting.states.set(node, writers.set(name, write))
      due()
    },
  }
  const states = options.states(pageRecords, ids.about)
  const onRoot = (root: Document | ShadowRoot) => {
    if (typeOf(root) === 9) roots.watch(root as Document)
    observer.observe(root, observed)
  }
  // Also of shadow roots that are attached before the page is written.
  roots.watch(document)
  const tree = createTreeWriter({ stream, ids, masking, states, roots, onRoot, changes })
  const context: TreeContext = {
    masking,
    writer,
    clock,
    ids,
    roots,
    states,
    changes,
    waiting,
    tree,
    *writeTree() {
      while (tree.step()) {
        yield
        if (!hasChanged) continue
        hasChanged = false
        tree.resume()
      }
    },
  }
  return {
    context,
    pageRecords,
    observer: {
      read() {
        read(observer.takeRecords())
        if (isDirty && masking.related) {
          const before = matched
          matched = [...document.querySelectorAll(masking.related)]
          for (const element of [...before, ...matched]) touched.add(element)
        }
        isDirty = false
        replaceChanged(context, touched)
        touched.clear()
      },
      disconnect: () => observer.disconnect(),
    },
  }
}

/** Faults of the recorder, which begin the page anew. */
const failuresAtMost = 3
