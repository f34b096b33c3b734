// Loads what records a page: for the replays of its session, or, in a frame, for those of the page that shows it.

import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { CanvasPictures } from './canvas/canvas.ts'
import { parentOrigin } from './frames/parent-origin.ts'
import type { RecordedFrames } from './frames/record-frames.ts'
import { readMasking } from './replay/read-masking.ts'
import type { Recorder } from './replay/recorder.ts'
import type { Sampled, SampledPlace } from './sampled.ts'

/** Loads a part once the page is idle, and starts it if the session still lasts. */
type Load = <Module>(get: () => Promise<Module>, start: (module: Module) => Sampled | undefined) => void

export function loadReplay(
  { settings, own, server, report }: SampledPlace,
  context: () => EventContext,
  load: Load,
) {
  const { replay, privacyLevel, masking, capture } = settings()
  const { replaySampling = 100, replayOn: on, replayOrigins: origins, replayParents, replayPictures } = own
  const wanted = readMasking(masking, privacyLevel)
  const common = () => ({ ...wanted, pictures: replayPictures, server, origins, context: context(), report })
  const isSampled = samplePosition(context().session) * 100 < Math.min(replay, replaySampling)
  const parent = replay > 0 ? parentOrigin(replayParents) : undefined
  const takeCanvases = (recorder: () => Recorder) =>
    startWithFirst<Parameters<CanvasPictures['add']>>((begin) =>
      load(
        () => import('./canvas/canvas.ts'),
        ({ startCanvas }) => begin(startCanvas({ ...recorder(), report })),
      ),
    )
  const takeFrames = (recorder: () => Pick<Recorder, 'idOf' | 'write' | 'use'>) => {
    const { replayFrames: allowed = [] } = own
    if (!allowed.length) return undefined
    return startWithFirst<Parameters<RecordedFrames['add']>>((begin) =>
      load(
        () => import('./frames/record-frames.ts'),
        ({ startFrames }) =>
          begin(startFrames({ ...recorder(), origins: allowed, level: wanted.level, report })),
      ),
    )
  }
  if (parent) {
    load(
      () => import('./frames/report-page.ts'),
      ({ startReporting }) => {
        const onFrame = takeFrames(() => page)
        const page = startReporting({ ...common(), parentOrigin: parent, onFrame })
        return page
      },
    )
  } else if (isSampled || (on && replay > 0)) {
    load(
      () => import('./replay/recorder.ts'),
      ({ startRecorder }) => {
        const onCanvas = takeCanvases(() => recorder)
        const onFrame = takeFrames(() => recorder)
        const recorder = startRecorder({ ...common(), isSampled, on, onCanvas, onFrame })
        const { console, requests } = Object(capture)
        if (console || requests?.length) {
          load(
            () => import('./details/details.ts'),
            ({ startDetails }) =>
              startDetails({ wanted: capture, serverUrl: server.url, write: recorder.write, report }),
          )
        }
        return recorder
      },
    )
  }
}

/** The first element loads what records its content; others wait for it. */
function startWithFirst<Given extends unknown[]>(
  load: (begin: <Part extends Sampled & { add(...given: Given): void }>(part: Part) => Part) => void,
): (...given: Given) => void {
  let waiting: Given[] = []
  let add = (...given: Given) => {
    if (waiting.push(given) > 1) return
    load((part) => {
      add = part.add
      for (const each of waiting) add(...each)
      waiting = []
      return part
    })
  }
  return (...given) => add(...given)
}
