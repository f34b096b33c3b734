// Renders moments of a replay: connects to the document of the player, restarts a picture when necessary, and
// requests the next one when the previous is done.

import type { ReplayRef } from '../../../api/replays.ts'
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
  readonly place: ReplayRef
  onLinked(): void
  onRead(told: PlayerMessage & { told: 'read' }, tab: string): void
  onShown(told: PlayerMessage & { told: 'shown' }): void
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
  let asked: { at: number; since: number } | undefined
  /** The last picture, and whether it belongs to this run. */
  let shown: { run: number; at: number } | undefined

  const stop = () => {
    run?.close()
    run = undefined
    asked = undefined
    wanted = undefined
  }
  const begin = (moment: Moment) => {
    stop()
    if (!link.isOpen) return warmUp.begin(moment)
    wanted = moment
    const { tab, stretch, at } = moment
    runs++
    run = startRun({
      number: runs,
      place: options.place,
      tab,
      stretch,
      at,
      link,
      cache,
      handedOver,
      warming: warmUp.of(moment),
      onBroken: (index) => options.onBroken(tab, index),
      onFailed: options.onFailed,
    })
  }
  const reached = () => asked?.at ?? (shown?.run === run?.number ? shown?.at : undefined)
  const ask = () => {
    if (run === undefined || wanted === undefined) return
    const { at, speed } = wanted
    const isNew = shown?.run !== run.number || shown.at !== at
    if (run.knownUntil >= at && asked === undefined && isNew) {
      asked = { at, since: performance.now() }
      link.send({ do: 'show', run: run.number, at })
    }
    run.readOn(at, speed)
  }
  const hear = (told: PlayerMessage) => {
    if (run === undefined || told.run !== run.number) return
    if (told.told === 'broken') return options.onBroken(run.tab, told.index)
    if (told.told === 'learned') {
      if (wanted !== undefined) begin(wanted)
    } else if (told.told === 'read') {
      run.noteRead(told)
      options.onRead(told, run.tab)
    } else if (told.page === undefined) {
      // The segment claims to start with a full snapshot, but has none.
      return options.onBroken(run.tab, run.firstIndex)
    } else {
      asked = undefined
      if (shown?.run !== told.run) run.readWords(wordsKnown)
      shown = { run: told.run, at: told.at }
      options.onShown(told)
    }
    ask()
  }
  const link = createStageLink({
    onTold: hear,
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
      if (run === undefined || !leadsTo(run, moment, reached() ?? run.beganAt)) begin(moment)
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
      return (
        wanted !== undefined && (run === undefined || shown?.run !== run.number || run.knownUntil < wanted.at)
      )
    },
    get waitsSince() {
      return asked?.since
    },
  }
}

/** Whether a moment can be reached from a run's position without loading everything before a later start. */
function leadsTo({ tab, stretch, knownUntil }: Run, moment: Moment, reached: number): boolean {
  if (tab !== moment.tab || stretch.from !== moment.stretch.from || reached > moment.at) return false
  const known = Math.max(reached, knownUntil)
  return !moment.stretch.segments.some(({ full, from }) => full && from > known && from <= moment.at)
}
