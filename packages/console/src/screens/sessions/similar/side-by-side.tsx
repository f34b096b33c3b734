import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'

import { KeyCap } from '../../../ui/form/field.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { Speed } from '../replay/player.ts'
import { SpeedChoice } from '../replay/speed-choice.tsx'
import { usePlayerState } from '../replay/use-player.ts'
import { type ComparedSession, ComparedSide, type LoadedSide } from './compared-side.tsx'
import { createPairedPlayback, type PairedPlayback } from './paired-playback.ts'
import { SharedStepList } from './shared-step-list.tsx'
import { sharedSteps } from './shared-steps.ts'

type SideBySideProps = { left: ComparedSession; right: ComparedSession; flag: string }

/** Both pictures with common controls: the first one at a shared step waits for the other. */
export function SideBySide({ left, right, flag }: SideBySideProps) {
  const [loadedLeft, setLeft] = useState<LoadedSide>()
  const [loadedRight, setRight] = useState<LoadedSide>()
  const steps = useMemo(
    () => (loadedLeft && loadedRight ? sharedSteps(loadedLeft.moments, loadedRight.moments) : []),
    [loadedLeft, loadedRight],
  )
  const [both, setBoth] = useState<PairedPlayback>()
  useEffect(() => {
    if (loadedLeft === undefined || loadedRight === undefined) return
    const created = createPairedPlayback(
      {
        left: { player: loadedLeft.player, sessionStart: Date.parse(left.session.startedAt) },
        right: { player: loadedRight.player, sessionStart: Date.parse(right.session.startedAt) },
      },
      steps,
    )
    setBoth(created)
    return () => {
      created.close()
      setBoth(undefined)
    }
  }, [loadedLeft, loadedRight, steps, left.session.startedAt, right.session.startedAt])

  return (
    <>
      <div className="grid min-w-0 gap-16 full:grid-cols-2">
        <ComparedSide {...left} flag={flag} name="Session" onLoaded={setLeft} />
        <ComparedSide {...right} flag={flag} name="Similar session" onLoaded={setRight} />
      </div>
      {both && loadedLeft && loadedRight && (
        <>
          <Controls both={both} left={loadedLeft} right={loadedRight} count={steps.length} />
          <Panel title="Shared steps" note="in the same order, each with its own time" flush>
            <SharedStepList
              both={both}
              steps={steps}
              names={{ left: left.variation, right: right.variation }}
            />
          </Panel>
        </>
      )}
    </>
  )
}

type ControlsProps = { both: PairedPlayback; left: LoadedSide; right: LoadedSide; count: number }

function Controls({ both, left, right, count }: ControlsProps) {
  const { isPlaying, step, waiting } = useSyncExternalStore(both.subscribe, both.getState)
  const speed = usePlayerState(left.player, (state) => state.speed)
  const setSpeed = (next: Speed) => {
    for (const { player } of [left, right]) player.setSpeed(next)
  }
  useShortcut({ keys: 'Space', label: 'Play or pause both', run: both.toggle })
  useShortcut({ keys: 'n', label: 'Next shared step', run: () => both.goTo(step + 1) })
  useShortcut({ keys: 'N', label: 'Previous shared step', run: () => both.goTo(step - 1) })
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 rounded-panel border border-line bg-surface px-12 py-6">
      <IconButton
        icon={isPlaying ? 'pause' : 'session'}
        look="primary"
        label={isPlaying ? 'Pause both (space)' : 'Play both (space)'}
        onClick={both.toggle}
      />
      <Button size="small" onClick={() => both.goTo(step + 1)} disabled={step + 1 >= count}>
        Next shared step <KeyCap>n</KeyCap>
      </Button>
      <Button size="small" look="quiet" onClick={() => both.goTo(step - 1)} disabled={step < 0}>
        Previous step <KeyCap>N</KeyCap>
      </Button>
      <span aria-live="polite" className="text-12 text-text-2">
        {count === 0
          ? 'No shared steps: playing side by side'
          : `Step ${step + 1} of ${count}${waiting === undefined ? '' : waitingWords[waiting]}`}
      </span>
      <span className="ml-auto">
        <SpeedChoice speed={speed} onSpeed={setSpeed} />
      </span>
    </div>
  )
}

const waitingWords = {
  left: '; the session waits for the similar session',
  right: '; the similar session waits',
}
