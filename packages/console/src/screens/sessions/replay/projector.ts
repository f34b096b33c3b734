// Renders moments of a replay: connects to the document of the player, restarts a picture when necessary, and
// requests the next one when the previous is done.

import type { ReplaySource } from '../../../api/replays.ts'
import type { PlayerMessage } from '../../../replay-player/messages.ts'
import type { Stretch } from './plan-tab.ts'
import { type Run, startRun } from './run.ts'
import { createSegmentCache } from './segment-cache.ts'
import { createStageLink } from './stage-link.ts'
import { createWarmUp } from './warm-up.ts'

export interface Moment {
  readonly tab: string
  readonly stretch: Stretch
  readonly at: number
  readonly speed: number
}

export interface Projector {
  attach(frame: HTMLIFrameElement): void
  detach(): void
  /** Reloads the document. */
  reload(): void
  readonly isLinked: boolean
  show(moment: Moment): void
  /** There is nothing to show. */
  stop(): void
  extend(tab: string, stretches: readonly Stretch[]): void
  readonly run: Pick<Run, 'moments' | 'knownUntil'> | undefined
  /** The latest request is not rendered yet. */
  readonly isBehind: boolean
  /** Since when a known picture is overdue. */
  readonly waitsSince: number | undefined
}

interface ProjectorOptions {
  readonly place: ReplaySource
  onLinked(): void
  onRead(message: PlayerMessage & { kind: 'read' }, tab: string): void
  onShown(message: PlayerMessage & { kind: 'shown' }): void
  /** Also when a segment claims to start with a full snapshot, but has none. */
  onBroken(tab: string, index: number): void
  onFailed(error: unknown): void
}

export function createProjector(options: ProjectorOptions): Projector {
  const cache = createSegmentCache()
  const warmUp = createWarmUp(options.place, cache)
  let handedOver = new Set<string>()
  let run: Run | undefined
  let runs = 0
  const wordsKnown = new Set<string>()
  let wanted: Moment | undefined
  let requested: { at: number; since: number } | undefined
  let shown: { run: number; at: number } | undefined

  const stop = () => {
    run?.close()
    run = undefined
    requested = undefined
    wanted = undefined
  }
  const begin = (moment: Moment) => {
    stop()
    if (!link.isOpen) return warmUp.begin(moment)
    wanted = moment
    run = startRun({
      ...moment,
      number: ++runs,
      place: options.place,
      link,
      cache,
      handedOver,
      warming: warmUp.of(moment),
      onBroken: (index) => options.onBroken(moment.tab, index),
      onFailed: options.onFailed,
    })
  }
  const ask = () => {
    if (run === undefined || wanted === undefined) return
    const { at, speed } = wanted
    const isNew = shown?.run !== run.number || shown.at !== at
    if (run.knownUntil >= at && requested === undefined && isNew) {
      requested = { at, since: performance.now() }
      link.send({ do: 'show', run: run.number, at })
    }
    run.readOn(at, speed)
  }
  const receive = (message: PlayerMessage) => {
    if (run === undefined || message.run !== run.number) return
    if (message.kind === 'broken') return options.onBroken(run.tab, message.index)
    if (message.kind === 'learned') {
      if (wanted !== undefined) begin(wanted)
    } else if (message.kind === 'read') {
      run.noteRead(message)
      options.onRead(message, run.tab)
    } else if (message.page === undefined) {
      return options.onBroken(run.tab, run.firstIndex)
    } else {
      requested = undefined
      if (shown?.run !== message.run) run.readWords(wordsKnown)
      shown = { run: message.run, at: message.at }
      options.onShown(message)
    }
    ask()
  }
  const link = createStageLink({
    onMessage: receive,
    onOpen() {
      stop()
      handedOver = new Set()
      options.onLinked()
    },
    onLost: () => options.onFailed(new Error('The player cannot be loaded.')),
  })
  return {
    attach: link.attach,
    detach() {
      stop()
      warmUp.stop()
      link.detach()
    },
    reload: link.reload,
    show(moment) {
      const reached = requested?.at ?? (shown?.run === run?.number ? shown?.at : undefined)
      if (run === undefined || !leadsTo(run, moment, reached ?? run.beganAt)) begin(moment)
      wanted = moment
      ask()
    },
    stop,
    extend(tab, stretches) {
      const longer = stretches.find(({ from }) => run?.tab === tab && from === run.stretch.from)
      if (longer !== undefined) run?.extend(longer)
    },
    get isLinked() {
      return link.isOpen
    },
    get run() {
      return run
    },
    get isBehind() {
      return wanted !== undefined && !isShown(run, shown?.run, wanted.at)
    },
    get waitsSince() {
      return requested?.since
    },
  }
}

function isShown(run: Run | undefined, shownRun: number | undefined, at: number): boolean {
  return run !== undefined && shownRun === run.number && run.knownUntil >= at
}

/** Whether a moment can be reached from a run's position without loading everything before a later start. */
function leadsTo({ tab, stretch, knownUntil }: Run, moment: Moment, reached: number): boolean {
  if (tab !== moment.tab || stretch.from !== moment.stretch.from || reached > moment.at) return false
  const known = Math.max(reached, knownUntil)
  return !moment.stretch.segments.some(({ full, from }) => full && from > known && from <= moment.at)
}
